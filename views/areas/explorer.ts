/** Events one by one: live, searched, exported, and what their names mean. */
export * as definitions from '../screens/events/Definitions.tsx';
export * as events from '../screens/events/Events.tsx';
export * as exports from '../screens/events/Exports.tsx';
export * as live from '../screens/events/Live.tsx';
