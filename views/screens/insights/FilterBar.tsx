/** Above the figures: which period, and what it is compared with. Every choice is a link, since the address is the state. */
import { Suspense, useState } from 'react';
import type { RangeInput } from '#src/insights/contract.ts';
import { smallButtonClass } from '#views/kit/Button.tsx';
import { classNames } from '#views/kit/class-names.ts';
import { Icon } from '#views/kit/Icon.tsx';
import { Link } from '#views/kit/Link.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { optionClass, Popover } from '#views/kit/Popover.tsx';
import type { Words } from '#views/words/en.ts';
import type { Format } from '#views/words/format.ts';
import { useWords } from '#views/words/words.tsx';
import type { CustomComparisonProps } from './CustomComparison.tsx';
import type { CustomRangeProps } from './CustomRange.tsx';
import { type Dates, datesOf, neighbour, type Today } from './dates.ts';
import css from './FilterBar.module.css';
import type { FilterChipsProps } from './filters/FilterChips.tsx';
import { addressOf, comparisonChoices, type Question, rangePresets } from './question.ts';

const CustomRange = lazyPart<CustomRangeProps>(
  'CustomRange',
  async () => (await import('./CustomRange.tsx')).CustomRange,
);

const CustomComparison = lazyPart<CustomComparisonProps>(
  'CustomComparison',
  async () => (await import('./CustomComparison.tsx')).CustomComparison,
);

const FilterChips = lazyPart<FilterChipsProps>(
  'FilterChips',
  async () => (await import('./filters/FilterChips.tsx')).FilterChips,
);

export interface FilterBarProps {
  path: string;
  question: Question;
  now: Today;
}

export function FilterBar({ path, question, now }: FilterBarProps) {
  const { words } = useWords();
  return (
    <search className={css['bar']} aria-label={words.regions.filters}>
      <Suspense>
        <FilterChips withSegments path={path} question={question} />
      </Suspense>
      <DateRange path={path} question={question} now={now} />
      <Compare path={path} question={question} now={now} />
    </search>
  );
}

export function DateRange({ path, question, now }: FilterBarProps) {
  const { words, format } = useWords();
  const { range } = question;
  const [opened, setOpened] = useState(false);
  // An interval chosen for one range rarely suits another.
  const to = (next: RangeInput): string => addressOf(path, { ...question, range: next, interval: null });
  const dates = datesOf(range, now);
  const name = rangeName(range, words);
  const literal = dates && datesText(dates, now, format);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
    <div role="group" aria-label={words.range.label} className={css['range']}>
      <Step icon="left" label={words.range.earlier} href={stepTo(neighbour(range, 'earlier', now), to)} />
      <Popover
        hotkey="d"
        align="end"
        onOpen={() => setOpened(true)}
        label={words.range.label}
        triggerClass={css['open']}
        className={css['picker']}
        trigger={
          <>
            <Icon name="calendar" />
            {name && <span className={css['name']}>{name}</span>}
            {literal && <span className={classNames(name ? 'wide-only dim' : css['name'], 'num')}>{literal}</span>}
          </>
        }
      >
        <ul className={css['presets']}>
          {rangePresets.map((preset) => (
            <li key={preset}>
              <Link
                href={to(preset)}
                className={optionClass(preset === range)}
                aria-current={preset === range ? 'true' : undefined}
              >
                {words.range.presets[preset]}
              </Link>
            </li>
          ))}
        </ul>
        <div className={css['custom']}>
          {opened && (
            <Suspense>
              <CustomRange path={path} question={question} dates={dates} now={now} addressFor={to} />
            </Suspense>
          )}
        </div>
      </Popover>
      <Step icon="right" label={words.range.later} href={stepTo(neighbour(range, 'later', now), to)} />
    </div>
  );
}

function stepTo(range: RangeInput | null, to: (range: RangeInput) => string): string | null {
  return range === null ? null : to(range);
}

function Step({ icon, label, href }: { icon: 'left' | 'right'; label: string; href: string | null }) {
  if (href === null) {
    return (
      <span className={classNames(css['step'], css['off'])} aria-hidden="true">
        <Icon name={icon} />
      </span>
    );
  }
  return (
    <Link href={href} className={css['step']} aria-label={label}>
      <Icon name={icon} />
    </Link>
  );
}

function Compare({ path, question, now }: FilterBarProps) {
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
        {comparisonChoices.map((choice) => (
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
        <Suspense>
          <CustomComparison path={path} question={question} now={now} />
        </Suspense>
      )}
    </Popover>
  );
}

/** "Last 28 days"; null for dates, which name themselves. */
export function rangeName(range: RangeInput, words: Words): string | null {
  return typeof range === 'string' ? words.range.presets[range] : null;
}

/** "24 Oct – 20 Nov", with years when they are not this one. */
export function datesText({ from, to }: Dates, { today }: Pick<Today, 'today'>, format: Format): string {
  return format.range(from, to, Number(today.slice(0, 4)));
}
