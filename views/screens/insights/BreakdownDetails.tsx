/** A table by one dimension in full: every row and column, sorted and searched by the address, and as a file. */
import type { Breakdown, BreakdownInput, BreakdownOrder, InProject } from '#src/insights/contract.ts';
import {
  type BreakdownRow,
  figureOf,
  figuresOf,
  hostOf,
  matching,
  type SortColumn,
  sorted,
} from '#src/insights/kinds/breakdown/values.ts';
import { Explain } from '#views/explain/Explain.tsx';
import { useProjects } from '#views/frame/queries.ts';
import { type BarColumn, type BarRow, BarTable } from '#views/kit/BarTable.tsx';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { Change } from '#views/kit/Change.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Region } from '#views/kit/Region.tsx';
import { largestCount, shareText } from '#views/question/breakdown-counts.ts';
import { breakdownRow } from '#views/question/breakdown-rows.tsx';
import { GoalChoice } from '#views/question/GoalChoice.tsx';
import { detailsInput, FEW_ROWS, orderOf } from '#views/question/inputs.ts';
import { addressOf, type Question } from '#views/question/question.ts';
import type { RegionOf } from '#views/question/use-region.ts';
import { useRowLead } from '#views/question/use-row-lead.ts';
import { type Format, missing } from '#views/words/format.ts';
import { type TableWords, tableWords } from '#views/words/tables.ts';
import { type Reading, valueText } from '#views/words/value-text.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { useBreakdown } from './BreakdownTable.tsx';
import { EarlyNote } from './EarlyNote.tsx';
import { FigureCell } from './FigureCell.tsx';
import { useDomains } from './SourceDomains.tsx';
import css from './TableInFull.module.css';
import { ColumnGroups, RowCount, sortable, TablePages, TableTools, useFind } from './TableInFull.tsx';
import { VitalDetails } from './VitalDetails.tsx';
import { vitalKey } from './VitalParts.tsx';

export interface BreakdownDetailsProps {
  reference: string;
  path: string;
  region: RegionOf;
}

export function BreakdownDetails({ reference, path, region }: BreakdownDetailsProps) {
  return (
    <Region
      {...region}
      of={`${region.of} ${vitalKey(region.question)}`}
      skeleton={<BarTableSkeleton rows={FEW_ROWS} />}
    >
      {(shown) =>
        shown.details === 'vitals' ? (
          <VitalDetails reference={reference} question={shown} path={path} />
        ) : (
          shown.details !== null && (
            <FullTable
              key={shown.details}
              input={detailsInput(reference, shown, shown.details)}
              question={shown}
              path={path}
              filePath={`${path}/table.csv`}
            />
          )
        )
      }
    </Region>
  );
}

interface FullTableProps {
  input: InProject<BreakdownInput>;
  question: Question;
  path: string;
  /** Where the same table is as a file. */
  filePath: string;
}

function FullTable({ input, question, path, filePath }: FullTableProps) {
  const { words, format } = useWords();
  const own = usePart(tableWords);
  const data = useBreakdown(input);
  const project = useProjects()?.current;
  const [typed, setTyped] = useFind(question, path);
  const reading: Reading = { own, format, locale: words.writing.locale };
  const textOf = (value: string) => valueText(input.dimension, value, reading);
  const text = own.tables[input.dimension];
  if (data.total === 0) return <p className={css['empty']}>{text.empty}</p>;
  // Longer tables are sorted on the server.
  const order = data.other.values === 0 ? null : orderOf<BreakdownOrder>(question);
  const found =
    order === null
      ? sorted(
          matching(data.rows, typed, data, textOf),
          { sort: question.sort as SortColumn, reversed: question.reversed },
          data,
          textOf,
        )
      : [];
  const rowsProps: RowsProps = { input, question, path, typed, first: data, data, rows: found };
  return (
    <>
      <TableTools
        typed={typed}
        onType={setTyped}
        fileHref={addressOf(filePath, { ...question, find: typed })}
        count={
          order === null ? (
            <RowCount n={typed.trim() === '' ? data.total : found.length} />
          ) : (
            <Late>
              <OrderedCount input={{ ...input, order }} />
            </Late>
          )
        }
      >
        {project && <GoalChoice reference={input.project} path={path} question={question} project={project} />}
      </TableTools>
      {order === null ? (
        <Rows {...rowsProps} />
      ) : (
        <Late fallback={<BarTableSkeleton rows={FEW_ROWS} />}>
          <OrderedRows {...rowsProps} input={{ ...input, order }} />
        </Late>
      )}
      {project && <EarlyNote reference={input.project} project={project} range={data} />}
      <Explain reference={input.project} question={question} of={input.dimension} name={text.all} />
    </>
  );
}

interface RowsProps extends Omit<FullTableProps, 'filePath'> {
  typed: string;
  /** The commonest rows, by which bars are measured. */
  first: Breakdown;
  data: Breakdown;
  rows: readonly BreakdownRow[];
}

/** In the order that is asked for, among all that there are. */
function OrderedRows(props: RowsProps) {
  const data = useBreakdown(props.input);
  return <Rows {...props} data={data} rows={data.rows} />;
}

function OrderedCount({ input }: Pick<RowsProps, 'input'>) {
  return <RowCount n={useBreakdown(input).total} />;
}

function Rows({ input, question, path, typed, first, data, rows }: RowsProps) {
  const { format } = useWords();
  const own = usePart(tableWords);
  const leadOf = useRowLead(input, question, path);
  const domainsOf = useDomains();
  const text = own.tables[input.dimension];
  const compared = first.rows.some(([, , , before]) => before !== null);
  const largest = largestCount(first);
  const columns = detailColumns(data, question, path, compared, own);
  const rowOf = (row: BreakdownRow, of: Breakdown) => detailRow(row, of, { whole: first, largest, compared, format });
  const table = { input, question, path, columns, rowOf };
  if (rows.length === 0) {
    return (
      <>
        {typed.trim() !== '' && <p className={css['empty']}>{own.noMatch(typed.trim())}</p>}
        <TablePages question={question} path={path} found={data.total} />
      </>
    );
  }
  return (
    <>
      <BarTable
        long
        caption={text.all}
        columns={columns}
        groups={compared && <ColumnGroups of={groupsOf(data, own)} />}
        rows={rows.map((row) => ({
          ...rowOf(row, data),
          ...leadOf(row[0], hostOf(data, row)),
          ...domainsOf(table, row[0]),
        }))}
      />
      <TablePages question={question} path={path} found={data.total} />
      {compared && <p className={`${css['note']} dim`}>{own.tick}</p>}
    </>
  );
}

/** So that a column is of one unit: of few events too, changes are in percent. */
const ALWAYS_PERCENT = 20;

interface DetailParts {
  /** Shares are of its sum. */
  whole: Breakdown;
  largest: number;
  compared: boolean;
  format: Format;
}

function detailRow(row: BreakdownRow, data: Breakdown, { whole, largest, compared, format }: DetailParts): BarRow {
  const [, visitors, count, before] = row;
  return breakdownRow(row, data, largest, [
    format.number(visitors),
    format.number(count),
    shareText(count, whole, format),
    ...figuresOf(data).map((figure) => <FigureCell key={figure} figure={figure} value={figureOf(data, row, figure)} />),
    ...(compared
      ? [
          before === null ? missing : format.number(before),
          <Change key="change" value={count} before={before} kind="count" good="up" events={ALWAYS_PERCENT} />,
        ]
      : []),
  ]);
}

function detailColumns(
  data: Breakdown,
  question: Question,
  path: string,
  compared: boolean,
  own: TableWords,
): BarColumn[] {
  const text = own.tables[data.dimension];
  const figures = figuresOf(data);
  // With more of them, paths would have no room.
  const roomy = !compared || figures.length < 5;
  // A phone has room for one figure more: the rate of the goal that was chosen, else the change.
  const rate = figures.find((figure) => figure === 'conversionRate' || figure === 'convertedRate');
  const column = (key: SortColumn, head: string, label?: string) => sortable(key, head, question, path, own, label);
  return [
    column('value', text.value),
    { ...column('visitors', own.visitors), wideOnly: true },
    column('count', text.count),
    { key: 'share', head: own.share, faint: true, wideOnly: compared },
    ...figures.map((figure) => ({
      ...column(figure, own.figures[figure]),
      roomy,
      wideOnly: figure !== rate,
    })),
    ...(compared
      ? [
          { ...column('previous', text.count, own.before), wideOnly: true },
          { ...column('change', text.count, own.change), change: true, wideOnly: rate !== undefined },
        ]
      : []),
  ];
}

/** Groups of columns: those of the range, and those of the comparison. */
function groupsOf(data: Breakdown, own: TableWords): [heading: string, columns: number][] {
  return [
    ['', 1],
    [own.now, 3 + figuresOf(data).length],
    [own.before, 1],
    [own.change, 1],
  ];
}
