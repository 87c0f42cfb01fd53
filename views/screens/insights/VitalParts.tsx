/** Shared parts of Web Vitals and their full table: the choice of a vital, and the row of a page. */
import { readable } from '#src/events/values.ts';
import type { Vital, VitalName, VitalPage, Vitals } from '#src/insights/kinds/vitals/contract.ts';
import { MIN_SAMPLES, vitalNames } from '#src/insights/kinds/vitals/values.ts';
import { type BarRow, CutText } from '#views/kit/BarTable.tsx';
import { classNames } from '#views/kit/class-names.ts';
import { Link } from '#views/kit/Link.tsx';
import { Segmented } from '#views/kit/Segmented.tsx';
import { addressOf, percentileChoices, type Question } from '#views/question/question.ts';
import { filterOf } from '#views/question/use-row-lead.ts';
import { vitalText } from '#views/question/vital-text.ts';
import { missing } from '#views/words/format.ts';
import { vitalsWords } from '#views/words/vitals.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import table from './BreakdownTable.module.css';
import css from './VitalParts.module.css';

/** Options of a Web Vitals query besides range and filters. */
export function vitalKey({ vital, percentile }: Question): string {
  return `${vital} ${percentile}`;
}

interface Props extends Pick<Vitals, 'vitals'> {
  question: Question;
  path: string;
}

export function VitalChoice({ vitals, question, path }: Props) {
  const own = usePart(vitalsWords);
  return (
    <>
      <Segmented
        label={own.percentile}
        className={table['per']}
        segments={percentileChoices.map((percentile) => ({
          key: percentile,
          label: `p${percentile}`,
          href: addressOf(path, { ...question, percentile }),
          current: percentile === question.percentile,
        }))}
      />
      <ul className={css['list']} aria-label={own.choose}>
        {vitalNames.map((name) => (
          <li key={name} className={css['cell']}>
            <Link
              href={addressOf(path, { ...question, vital: name })}
              replace
              className={css['vital']}
              aria-current={name === question.vital ? 'true' : undefined}
            >
              <span className={css['label']}>{own.vitals[name]}</span>
              <Headline name={name} vital={vitals[name]} />
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

function Headline({ name, vital }: { name: VitalName; vital: Vital }) {
  const { format } = useWords();
  const own = usePart(vitalsWords);
  const { value, samples, good, poor, rating } = vital;
  if (value === null) return <span className={css['value']}>{missing}</span>;
  const fair = samples - good - poor;
  const share = (count: number) => format.percent(count / samples);
  return (
    <>
      <span className={classNames(css['value'], 'num')}>
        {vitalText(name, value, format)} <small>{rating && own.rating[rating]}</small>
      </span>
      <svg className={css['bar']} aria-hidden="true">
        <rect className={css['good']} width={percent(good / samples)} height="100%" />
        <rect className={css['fair']} x={percent(good / samples)} width={percent(fair / samples)} height="100%" />
        <rect className={css['poor']} x={percent(1 - poor / samples)} width={percent(poor / samples)} height="100%" />
      </svg>
      <span className={css['shares']}>
        {`${own.shares(share(good), share(fair), share(poor))}. ${own.measured(samples, format.number(samples))}`}
      </span>
    </>
  );
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10}%`;
}

/** Rows of pages, each the filter by its page. @param all by the largest of which bars are drawn */
export function useVitalRow(
  all: readonly VitalPage[],
  question: Question,
  path: string,
): (page: VitalPage, shares: readonly ('good' | 'poor')[]) => BarRow {
  const { format } = useWords();
  const own = usePart(vitalsWords);
  const isFew = ({ samples }: VitalPage) => samples < MIN_SAMPLES;
  const largest = Math.max(0, ...all.map((each) => (isFew(each) ? 0 : (each.value ?? 0))));
  return (row, shares) => {
    const { host = '', page, value, samples } = row;
    return {
      key: `${host} ${page}`,
      label:
        page === '' ? (
          <span className="dim">{`${host} ${own.none}`.trim()}</span>
        ) : (
          <CutText text={host + readable(page)} />
        ),
      filter: filterOf({ dimension: 'page' }, question, path, page, row.host),
      cells: [
        isFew(row) ? own.few : vitalText(question.vital, value, format),
        ...shares.map((share) => (isFew(row) ? missing : format.percent(row[share] / samples))),
        format.number(samples),
      ],
      bar: isFew(row) || value === null || largest === 0 ? null : value / largest,
      tick: null,
    };
  };
}
