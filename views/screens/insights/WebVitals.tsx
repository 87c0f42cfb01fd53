/** How pages felt, as browsers measured it: each vital over all, and one of them by page. Not there while nothing was measured. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { readable } from '#src/events/paths/contract.ts';
import type { Vital, VitalName, VitalsInput } from '#src/insights/vitals/contract.ts';
import { type BarRow, BarTable, CutText } from '#views/kit/BarTable.tsx';
import { classNames } from '#views/kit/class-names.ts';
import { Link } from '#views/kit/Link.tsx';
import { Region } from '#views/kit/Region.tsx';
import { useTrpc } from '#views/trpc.ts';
import { missing } from '#views/words/format.ts';
import { vitalsWords } from '#views/words/vitals.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { Explain } from './ExplainPlace.tsx';
import { vitalsInput } from './inputs.ts';
import { addressOf, type Question, vitalNames } from './question.ts';
import { RareNote } from './RareNote.tsx';
import type { RegionOf } from './use-region.ts';
import { filterOf } from './use-row-lead.ts';
import { vitalText } from './vital-text.ts';
import css from './WebVitals.module.css';

export interface WebVitalsProps {
  reference: string;
  path: string;
  region: RegionOf;
}

/** Pages with fewer measurements show no figure. */
const FEWEST = 10;

export function WebVitals({ reference, path, region }: WebVitalsProps) {
  return (
    <Region {...region} of={`${region.of} ${region.question.vital}`} skeleton={null}>
      {(shown) => <Figures input={vitalsInput(reference, shown)} question={shown} path={path} />}
    </Region>
  );
}

function Figures({ input, question, path }: { input: VitalsInput; question: Question; path: string }) {
  const { format } = useWords();
  const own = usePart(vitalsWords);
  const trpc = useTrpc();
  const { data } = useSuspenseQuery(trpc.insights.vitals.queryOptions(input));
  if (vitalNames.every((name) => data.vitals[name].samples === 0)) return null;
  const largest = Math.max(...data.pages.map(({ p75 }) => p75 ?? 0));
  const rows = data.pages.map((row): BarRow => {
    const isFew = row.samples < FEWEST;
    const { host = '' } = row;
    return {
      key: `${host} ${row.page}`,
      label:
        row.page === '' ? (
          <span className="dim">{`${host} ${own.none}`.trim()}</span>
        ) : (
          <CutText text={host + readable(row.page)} />
        ),
      filter: filterOf({ dimension: 'page' }, question, path, row.page, row.host),
      cells: [
        isFew ? own.few : vitalText(question.vital, row.p75, format),
        isFew ? missing : format.percent(row.good / row.samples),
        format.number(row.samples),
      ],
      bar: isFew || row.p75 === null || largest === 0 ? null : row.p75 / largest,
      tick: null,
    };
  });
  const { others } = data;
  return (
    <section aria-labelledby="web-vitals" className={css['vitals']}>
      <h2 id="web-vitals" className={css['title']}>
        {own.title}
      </h2>
      <RareNote of={data} />
      <ul className={css['list']} aria-label={own.choose}>
        {vitalNames.map((name) => (
          <li key={name} className={css['cell']}>
            <Link
              href={addressOf(path, { ...question, vital: name })}
              replace
              className={css['vital']}
              aria-current={name === question.vital ? 'true' : undefined}
            >
              <span className={css['label']}>
                {own.vitals[name]} <abbr>{name}</abbr>
              </span>
              <Headline name={name} vital={data.vitals[name]} />
            </Link>
          </li>
        ))}
      </ul>
      <BarTable
        caption={`${own.title}: ${own.vitals[question.vital]}`}
        columns={[
          { key: 'page', head: own.page },
          { key: 'p75', head: own.p75, roomy: true },
          { key: 'good', head: own.good, faint: true },
          { key: 'samples', head: own.samples, wideOnly: true },
        ]}
        rows={[
          ...rows,
          ...(others.pages === 0
            ? []
            : [
                {
                  ...{ key: '\u0000others', label: own.others(others.pages, format.number(others.pages)), rest: true },
                  ...{ cells: ['', '', format.number(others.samples)], bar: null, tick: null },
                },
              ]),
        ]}
      />
      <p className={css['note']}>{own.note}</p>
      <Explain
        {...{ reference: input.project, question, of: 'vitals' }}
        name={`${own.title}: ${own.vitals[question.vital]}`}
      />
    </section>
  );
}

function Headline({ name, vital }: { name: VitalName; vital: Vital }) {
  const { format } = useWords();
  const own = usePart(vitalsWords);
  const { p75, samples, good, poor, rating } = vital;
  if (p75 === null) return <span className={css['value']}>{missing}</span>;
  const fair = samples - good - poor;
  const share = (count: number) => format.percent(count / samples);
  return (
    <>
      <span className={classNames(css['value'], 'num')}>
        {vitalText(name, p75, format)} <small>{rating && own.rating[rating]}</small>
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
