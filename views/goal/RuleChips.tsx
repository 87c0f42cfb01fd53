/** Conditions of a goal as chips: conditions of one rule side by side, further rules after an "or". */
import { Fragment } from 'react';
import type { GoalRule } from '#src/insights/goals/contract.ts';
import { classNames } from '#views/kit/class-names.ts';
import { useReading } from '#views/question/filters/reading.ts';
import { filterWords } from '#views/words/filters.ts';
import { goalWords } from '#views/words/goals.ts';
import { usePart } from '#views/words/words.tsx';
import css from './RuleChips.module.css';
import { partsOfRule } from './rule-parts.ts';

export interface RuleChipsProps {
  rule: GoalRule;
  /** Called when a chip is pressed; absent: chips are static. */
  onPress?: (() => void) | undefined;
}

export function RuleChips({ rule, onPress }: RuleChipsProps) {
  const own = usePart(goalWords);
  const filters = usePart(filterWords);
  const reading = useReading();
  return partsOfRule(rule, { own, filters, reading }).map((parts, way) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: ways have no name, and two may be the same
    <Fragment key={way}>
      {way > 0 && <span className={css['or']}>{own.or}</span>}
      {parts.map(({ of, operator, value }, place) => {
        const text = (
          <>
            <span className="dim">{[of, operator].filter(Boolean).join(' ')}</span>
            {value !== '' && <span className={css['value']}>{value}</span>}
          </>
        );
        const key = `${place} ${of} ${value}`;
        return onPress ? (
          <button key={key} type="button" className={classNames(css['chip'], css['press'])} onClick={onPress}>
            {text}
          </button>
        ) : (
          <span key={key} className={css['chip']}>
            {text}
          </span>
        );
      })}
    </Fragment>
  ));
}
