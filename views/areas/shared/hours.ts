/** Layer of areas that draw hours of the week, or tables of *Overview*. */
import '#views/charts/HourGrid.tsx';
import '#views/question/VisitorHours.tsx';
import '#views/question/breakdown-counts.ts';
import '#views/question/breakdown-rows.tsx';
import '#views/words/hours.ts';
import '#views/words/vitals.ts';
