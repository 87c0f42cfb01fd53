/**
 * The analytics client, in a separate chunk: ad blockers may block it without affecting the rest. The slim build with the used extensions
 * and the two scripts that it would load is 90 kB gzip; the full build would be 126 kB and two more requests.
 */
import 'posthog-js/dist/exception-autocapture.js';
import 'posthog-js/dist/web-vitals-with-attribution.js';
import { AnalyticsExtensions, ErrorTrackingExtensions } from 'posthog-js/dist/extension-bundles.js';

export { posthog } from 'posthog-js/dist/module.slim.js';
export const extensions = { ...AnalyticsExtensions, ...ErrorTrackingExtensions };
