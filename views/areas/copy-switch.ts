/** Where a project's insights run, which its settings show where ClickHouse is set. */
export { CopySwitch } from '../screens/projects/CopySwitch.tsx';
