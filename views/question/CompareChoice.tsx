/** The comparison period. Every choice is a link, since the URL is the state. */
import { useState } from 'react';
import { comparisons } from '#src/insights/query/values.ts';
import { smallButtonClass } from '#views/kit/Button.tsx';
import { Icon } from '#views/kit/Icon.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { optionClass, Popover } from '#views/kit/Popover.tsx';
import { useWords } from '#views/words/words.tsx';
import type { CustomComparisonProps } from './CustomComparison.tsx';
import type { DateRangeProps } from './DateRange.tsx';
import { addressOf } from './question.ts';
import { datesText } from './range-text.ts';

const CustomComparison = lazyPart<CustomComparisonProps>(
  'question-forms',
  async () => (await import('#views/areas/question-forms.ts')).CustomComparison,
);

export type CompareChoiceProps = DateRangeProps;

export function CompareChoice({ path, question, now }: CompareChoiceProps) {
  const { words, format } = useWords();
  const { compare } = question;
  const [opened, setOpened] = useState(false);
  return (
    <Popover
      list
      align="end"
      onOpen={() => setOpened(true)}
      label={words.compare.label}
      triggerClass={smallButtonClass}
      trigger={
        <>
          {typeof compare === 'string' ? words.compare[compare] : words.compare.dates(datesText(compare, now, format))}
          <Icon name="down" small />
        </>
      }
    >
      <ul>
        {comparisons.map((choice) => (
          <li key={choice}>
            <Link
              href={addressOf(path, { ...question, compare: choice })}
              className={optionClass(choice === compare)}
              aria-current={choice === compare ? 'true' : undefined}
            >
              {words.compare[choice]}
            </Link>
          </li>
        ))}
      </ul>
      {opened && (
        <Late>
          <CustomComparison path={path} question={question} now={now} />
        </Late>
      )}
    </Popover>
  );
}
