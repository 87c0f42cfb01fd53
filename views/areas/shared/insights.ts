/** What areas of insights and of dashboards share, besides what every page has. */
import '#views/insights/address.ts';
import '#views/insights/names.ts';
import '#views/insights/saved-as-shown.ts';
import '#views/insights/use-answer.ts';
import '#views/words/insights.ts';
import '#views/words/saved-insights.ts';
