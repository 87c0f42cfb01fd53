/** What names of events mean, and their files. */
export * as definitions from '../screens/events/Definitions.tsx';
export * as exports from '../screens/events/Exports.tsx';
