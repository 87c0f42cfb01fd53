/** Shared code of areas with queries and filters. */
import '#views/charts/HeatScale.tsx';
import '#views/explain/Caveats.tsx';
import '#views/kit/BarTable.tsx';
import '#views/question/DateRange.tsx';
import '#views/question/DidYouMean.tsx';
import '#views/question/UnknownEvent.tsx';
import '#views/question/WithoutAmount.tsx';
import '#views/question/breakdown-rows.tsx';
import '#views/question/explorer-address.ts';
import '#views/question/filters/change.ts';
import '#views/question/filters/reading.ts';
import '#views/question/filters/segment-edit.ts';
import '#views/question/use-row-lead.ts';
import '#views/words/goal-figures.ts';
import '#views/words/tables.ts';
import '#views/words/value-text.ts';
import '../filter-bar.ts';
