/** Events one by one: live, and searched. */
export * as events from '../screens/events/Events.tsx';
export * as live from '../screens/events/Live.tsx';
