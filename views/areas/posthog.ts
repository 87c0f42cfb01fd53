/** The client that measures the product itself, apart: blockers take it away, and the rest measures on. */
export { posthog } from 'posthog-js';
