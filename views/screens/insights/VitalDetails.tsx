/** The pages of a vital in full: every one, sorted and searched by the address, and as a file. */

import { useSuspenseQuery } from '@tanstack/react-query';
import type { InProject } from '#src/insights/contract.ts';
import type { VitalPage, Vitals, VitalsInput, VitalsOrder } from '#src/insights/kinds/vitals/contract.ts';
import { matchingPages, sortedPages, type VitalColumn } from '#src/insights/kinds/vitals/values.ts';
import { Explain } from '#views/explain/Explain.tsx';
import { useProjects } from '#views/frame/queries.ts';
import { BarTable } from '#views/kit/BarTable.tsx';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { Late } from '#views/kit/Late.tsx';
import { ALL_ROWS, FEW_ROWS, orderOf, vitalsInput } from '#views/question/inputs.ts';
import { addressOf, type Question } from '#views/question/question.ts';
import { useTrpc } from '#views/trpc.ts';
import { tableWords } from '#views/words/tables.ts';
import { vitalsWords } from '#views/words/vitals.ts';
import { usePart } from '#views/words/words.tsx';
import { EarlyNote } from './EarlyNote.tsx';
import css from './TableInFull.module.css';
import { RowCount, sortable, TablePages, TableTools, useFind } from './TableInFull.tsx';
import { useVitalRow, VitalChoice } from './VitalParts.tsx';

interface Props {
  question: Question;
  path: string;
}

export function VitalDetails({ reference, question, path }: Props & { reference: string }) {
  const own = usePart(vitalsWords);
  const input = vitalsInput(reference, question, ALL_ROWS);
  const data = useVitals(input);
  const project = useProjects()?.current;
  const [typed, setTyped] = useFind(question, path);
  const order = data.other.pages === 0 ? null : orderOf<VitalsOrder>(question);
  const { vital, sort, reversed } = question;
  const found =
    order === null ? sortedPages(matchingPages(data.pages, typed), { sort: sort as VitalColumn, reversed }) : [];
  const rows = { question, path, typed, all: data.pages };
  return (
    <>
      <VitalChoice vitals={data.vitals} question={question} path={path} />
      {data.pages.length === 0 ? (
        <p className={css['empty']}>{own.empty}</p>
      ) : (
        <>
          <TableTools
            typed={typed}
            onType={setTyped}
            fileHref={addressOf(`${path}/vitals.csv`, { ...question, find: typed })}
            count={
              order === null ? (
                <RowCount n={typed.trim() === '' ? data.total : found.length} />
              ) : (
                <Late>
                  <OrderedCount input={{ ...input, order }} />
                </Late>
              )
            }
          />
          {order === null ? (
            <Rows {...rows} pages={found} found={data.total} />
          ) : (
            <Late fallback={<BarTableSkeleton rows={FEW_ROWS} />}>
              <OrderedRows {...rows} input={{ ...input, order }} />
            </Late>
          )}
          <p className={`${css['note']} dim`}>{own.notes[question.percentile]}</p>
        </>
      )}
      {project && <EarlyNote reference={reference} project={project} range={data.range} />}
      <Explain reference={reference} question={question} of="vitals" name={`${own.title}: ${own.vitals[vital]}`} />
    </>
  );
}

function useVitals(input: InProject<VitalsInput>): Vitals {
  return useSuspenseQuery(useTrpc().insights.query.vitals.queryOptions(input)).data;
}

interface RowsProps extends Props {
  typed: string;
  /** Those with most measurements, by which bars are drawn. */
  all: readonly VitalPage[];
}

/** In the order that is asked for, among all that there are. */
function OrderedRows({ input, ...props }: RowsProps & { input: InProject<VitalsInput> }) {
  const { pages, total: found } = useVitals(input);
  return <Rows {...props} pages={pages} found={found} />;
}

function OrderedCount({ input }: { input: InProject<VitalsInput> }) {
  return <RowCount n={useVitals(input).total} />;
}

function Rows({
  question,
  path,
  typed,
  all,
  pages,
  found,
}: RowsProps & { pages: readonly VitalPage[]; found: number }) {
  const own = usePart(vitalsWords);
  const tables = usePart(tableWords);
  const rowOf = useVitalRow(all, question, path);
  const column = (key: VitalColumn, head: string) => sortable(key, head, question, path, tables);
  if (pages.length === 0) {
    return (
      <>
        {typed.trim() !== '' && <p className={css['empty']}>{tables.noMatch(typed.trim())}</p>}
        <TablePages question={question} path={path} found={found} />
      </>
    );
  }
  return (
    <>
      <BarTable
        long
        caption={`${own.title}: ${own.vitals[question.vital]}`}
        columns={[
          column('value', own.page),
          { ...column('percentile', own.percentiles[question.percentile]), roomy: true },
          column('good', own.good),
          { key: 'poor', head: own.poor, wideOnly: true },
          { ...column('count', own.samples), wideOnly: true },
        ]}
        rows={pages.map((page) => rowOf(page, ['good', 'poor']))}
      />
      <TablePages question={question} path={path} found={found} />
    </>
  );
}
