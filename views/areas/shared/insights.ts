/** Layer of areas with insights and dashboards. */
import '#views/insights/address.ts';
import '#views/insights/names.ts';
import '#views/insights/saved-as-shown.ts';
import '#views/insights/use-answer.ts';
import '#views/insights/use-group-measure.ts';
import '#views/words/insights.ts';
import '#views/words/saved-insights.ts';
import '#views/kit/refresh-every.tsx';
import '#views/question/notes/NotedCharts.tsx';
import '#views/sharing/ShareButton.tsx';
import '#src/insights/saved/values.ts';
import '#views/insights/SaveDialog.tsx';
import '#views/kit/FavoriteButton.tsx';
import '#views/kit/MenuOption.tsx';
import '#views/kit/Tags.tsx';
import '#views/kit/use-failure-toast.ts';
import '#views/words/share-button.ts';
