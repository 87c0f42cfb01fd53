/** What areas share that ask about events and filter them, besides what every page has. */
import '#views/charts/HeatScale.tsx';
import '#views/screens/events/explorer-address.ts';
import '#views/screens/insights/DateRange.tsx';
import '#views/screens/insights/filters/change.ts';
import '#views/screens/insights/filters/reading.ts';
import '#views/screens/insights/use-row-lead.ts';
import '#views/words/tables.ts';
import '../filter-bar.ts';
