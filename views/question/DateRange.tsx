/** The period. Every choice is a link, since the URL is the state. */
import { useState } from 'react';
import type { RangeInput, RangePreset } from '#src/insights/contract.ts';
import { minutePresets, rangePresets } from '#src/kit/values.ts';
import { classNames } from '#views/kit/class-names.ts';
import { Icon } from '#views/kit/Icon.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { optionClass, Popover } from '#views/kit/Popover.tsx';
import { useWords } from '#views/words/words.tsx';
import type { CustomRangeProps } from './CustomRange.tsx';
import css from './DateRange.module.css';
import { datesOf, neighbour, type Today } from './dates.ts';
import { addressOf, type Question } from './question.ts';
import { datesText, rangeName } from './range-text.ts';

const CustomRange = lazyPart<CustomRangeProps>(
  'question-forms',
  async () => (await import('#views/areas/question-forms.ts')).CustomRange,
);

const shortPresets: ReadonlySet<RangePreset> = new Set(minutePresets);

export interface DateRangeProps {
  path: string;
  question: Question;
  now: Today;
  /** Also ranges shorter than a date. */
  withMinutes?: boolean;
}

export function DateRange({ path, question, now, withMinutes = false }: DateRangeProps) {
  const { words, format } = useWords();
  const { range } = question;
  const [opened, setOpened] = useState(false);
  // An interval chosen for one range rarely suits another.
  const to = (next: RangeInput): string => addressOf(path, { ...question, range: next, interval: null });
  const dates = datesOf(range, now);
  const name = rangeName(range, words);
  const presets = withMinutes ? rangePresets : rangePresets.filter((preset) => !shortPresets.has(preset));
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
            {literal && (
              <span className={classNames(name ? `${css['literal']} dim` : css['name'], 'num')}>{literal}</span>
            )}
          </>
        }
      >
        <ul className={css['presets']}>
          {presets.map((preset) => (
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
            <Late>
              <CustomRange
                dates={dates}
                now={now}
                addressFor={to}
                addressAround={(around) => addressOf(path, { ...question, ...around, interval: null })}
              />
            </Late>
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
