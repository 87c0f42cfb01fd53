/** Layer of areas that show tables of *Overview*, hours of the week, or the conditions of goals. */
import '#views/charts/HourGrid.tsx';
import '#views/goal/RuleChips.tsx';
import '#views/question/BreakdownValue.tsx';
import '#views/question/VisitorHours.tsx';
import '#views/question/breakdown-counts.ts';
import '#views/question/breakdown-rows.tsx';
import '#views/words/goals.ts';
import '#views/words/hours.ts';
import '#views/words/vitals.ts';
import '#views/kit/sql-tokens.ts';
