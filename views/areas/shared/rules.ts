/** Shared code of areas that show the conditions of goals. */
import '#views/goal/RuleChips.tsx';
import '#views/words/goals.ts';
