/** Draws recordings: the recorder's own replayer, loaded when one is opened. */
export { Replayer } from 'posthog-js/rrweb';
