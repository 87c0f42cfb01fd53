/** The form of a project's own channels, which one tab of its settings shows. */
export { ChannelRules } from '../screens/projects/ChannelRules.tsx';
