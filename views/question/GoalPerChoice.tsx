/** Conversion rate by visitor or by visit. */
import type { GoalPer } from '#src/insights/contract.ts';
import { Segmented } from '#views/kit/Segmented.tsx';
import { conversionWords } from '#views/words/conversions.ts';
import { usePart } from '#views/words/words.tsx';

export interface GoalPerChoiceProps {
  per: GoalPer;
  /** The address with the other choice. */
  href: (per: GoalPer) => string;
  className?: string | undefined;
}

export function GoalPerChoice({ per, href, className }: GoalPerChoiceProps) {
  const own = usePart(conversionWords);
  return (
    <Segmented
      label={own.perLabel}
      className={className}
      segments={(['visitor', 'visit'] as const).map((each) => ({
        key: each,
        label: own.per[each],
        href: href(each),
        current: each === per,
      }))}
    />
  );
}
