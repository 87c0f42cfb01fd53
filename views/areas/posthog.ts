/**
 * The client that measures the product itself, apart: blockers take it away, and the rest measures on. The slim build with the extensions
 * that our screens use, and the two scripts that it would load besides, is 90 kB gzip; all of it would be 126 kB and two more requests.
 */
import 'posthog-js/dist/exception-autocapture.js';
import 'posthog-js/dist/web-vitals-with-attribution.js';
import { AnalyticsExtensions, ErrorTrackingExtensions } from 'posthog-js/dist/extension-bundles.js';

export { posthog } from 'posthog-js/dist/module.slim.js';
export const extensions = { ...AnalyticsExtensions, ...ErrorTrackingExtensions };
