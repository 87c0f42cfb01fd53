/** How pages felt, as browsers measured it: each vital over all, and one of them by page. Not there while nothing was measured. */

import { useSuspenseQuery } from '@tanstack/react-query';
import type { InProject } from '#src/insights/contract.ts';
import type { VitalsInput } from '#src/insights/kinds/vitals/contract.ts';
import { vitalNames } from '#src/insights/kinds/vitals/values.ts';
import { Explain } from '#views/explain/Explain.tsx';
import { BarTable } from '#views/kit/BarTable.tsx';
import { Link } from '#views/kit/Link.tsx';
import { Region } from '#views/kit/Region.tsx';
import { vitalsInput } from '#views/question/inputs.ts';
import { addressOf, type Question } from '#views/question/question.ts';
import type { RegionOf } from '#views/question/use-region.ts';
import { useTrpc } from '#views/trpc.ts';
import { tableWords } from '#views/words/tables.ts';
import { vitalsWords } from '#views/words/vitals.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import table from './BreakdownTable.module.css';
import css from './VitalParts.module.css';
import { useVitalRow, VitalChoice, vitalKey } from './VitalParts.tsx';

export interface WebVitalsProps {
  reference: string;
  path: string;
  region: RegionOf;
}

export function WebVitals({ reference, path, region }: WebVitalsProps) {
  return (
    <Region {...region} of={`${region.of} ${vitalKey(region.question)}`} skeleton={null}>
      {(shown) => <Figures input={vitalsInput(reference, shown)} question={shown} path={path} />}
    </Region>
  );
}

function Figures({ input, question, path }: { input: InProject<VitalsInput>; question: Question; path: string }) {
  const { format } = useWords();
  const own = usePart(vitalsWords);
  const tables = usePart(tableWords);
  const trpc = useTrpc();
  const { data } = useSuspenseQuery(trpc.insights.query.vitals.queryOptions(input));
  const rowOf = useVitalRow(data.pages, question, path);
  if (vitalNames.every((name) => data.vitals[name].samples === 0)) return null;
  const { other: others } = data;
  const inFull = addressOf(path, { ...question, details: 'vitals' });
  return (
    <section aria-labelledby="web-vitals" className={css['vitals']}>
      <h2 id="web-vitals" className={css['title']}>
        {own.title}
      </h2>
      <VitalChoice vitals={data.vitals} question={question} path={path} />
      <BarTable
        caption={`${own.title}: ${own.vitals[question.vital]}`}
        columns={[
          { key: 'page', head: own.page },
          { key: 'percentile', head: own.percentiles[question.percentile], roomy: true },
          { key: 'good', head: own.good, faint: true },
          { key: 'samples', head: own.samples, wideOnly: true },
        ]}
        rows={[
          ...data.pages.map((page) => rowOf(page, ['good'])),
          ...(others.pages === 0
            ? []
            : [
                {
                  key: '\u0000others',
                  label: own.others(others.pages, format.number(others.pages)),
                  rest: true,
                  href: inFull,
                  cells: ['', '', format.number(others.samples)],
                  bar: null,
                  tick: null,
                },
              ]),
        ]}
      />
      <p className={css['note']}>{own.notes[question.percentile]}</p>
      <div className={table['foot']}>
        <p className={`${table['more']} no-print`}>
          <Link href={inFull} ahead={false}>
            {tables.details}
            <span className="visually-hidden">: {own.title}</span>
          </Link>
        </p>
        <Explain
          reference={input.project}
          question={question}
          of="vitals"
          name={`${own.title}: ${own.vitals[question.vital]}`}
        />
      </div>
    </section>
  );
}
