/** Layer of areas with insights and dashboards. */
import '#views/insights/address.ts';
import '#views/insights/names.ts';
import '#views/insights/saved-as-shown.ts';
import '#views/insights/use-answer.ts';
import '#views/words/insights.ts';
import '#views/words/saved-insights.ts';
import '#views/sharing/ShareButton.tsx';
import '#views/words/sharing.ts';
