/** What measures the product itself. */
export { Measuring } from '../analytics.tsx';
