/** Analytics of the product itself. */
export { Measuring } from '../analytics.tsx';
