/** What runs beside a page: analytics of the product itself, and the watch over the session that tabs share. */
export { Measuring } from '../analytics.tsx';
export { watchSession } from '../session-change.ts';
