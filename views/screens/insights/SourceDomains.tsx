/** The domains under a source's row: `google.com` and `google.com.br` under *Google*, fetched when the row is opened. */

import { useState } from 'react';
import type { Breakdown, BreakdownInput, InProject } from '#src/insights/contract.ts';
import { conditionsOf } from '#src/insights/kinds/breakdown/filters/values.ts';
import type { BreakdownRow } from '#src/insights/kinds/breakdown/values.ts';
import { type BarColumn, type BarRow, BarRows } from '#views/kit/BarTable.tsx';
import { ErrorMessage } from '#views/kit/ErrorMessage.tsx';
import { Icon } from '#views/kit/Icon.tsx';
import { useKnown } from '#views/known.ts';
import { othersRow } from '#views/question/breakdown-rows.tsx';
import { hasConditions, withConditions } from '#views/question/filters/change.ts';
import { withinRow } from '#views/question/filters/within-row.ts';
import { addressOf, type Question } from '#views/question/question.ts';
import { useTrpc } from '#views/trpc.ts';
import { tableWords } from '#views/words/tables.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './BreakdownTable.module.css';

const MAX_DOMAINS = 20;
/** A source without a name is its domain. */
const DOMAIN = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;

export interface SourceTable {
  /** The table of sources. */
  input: InProject<BreakdownInput>;
  question: Question;
  path: string;
  columns: BarColumn[];
  /** A row of domains as one of the table. */
  rowOf(row: BreakdownRow, data: Breakdown): BarRow;
}

export type DomainsOf = (table: SourceTable, source: string) => Pick<BarRow, 'beside' | 'under'>;

/** The toggle and the domains of each row of sources; keeps which rows are open. */
export function useDomains(): DomainsOf {
  const own = usePart(tableWords);
  const [open, setOpen] = useState<readonly string[]>([]);
  return (table, source) => {
    if (table.input.dimension !== 'source' || source === '' || source === '$direct' || DOMAIN.test(source)) return {};
    const isOpen = open.includes(source);
    return {
      beside: (
        <button
          type="button"
          className={`${css['fold']} script-only`}
          aria-expanded={isOpen}
          onClick={() => setOpen(isOpen ? open.filter((each) => each !== source) : [...open, source])}
        >
          <Icon name={isOpen ? 'down' : 'right'} small />
          <span className="visually-hidden">{own.domainsOf(source)}</span>
        </button>
      ),
      under: isOpen && <SourceDomains {...table} source={source} />,
    };
  };
}

function SourceDomains({ input, question, path, columns, rowOf, source }: SourceTable & { source: string }) {
  const trpc = useTrpc();
  const { format } = useWords();
  const own = usePart(tableWords);
  const ofSource = conditionsOf('source', source) ?? [];
  const { order: _, ...query } = input;
  const { data, error } = useKnown(
    trpc.insights.query.breakdown.queryOptions({
      ...query,
      dimension: 'referringDomain',
      filters: withinRow(question.filters, ofSource),
      limit: MAX_DOMAINS,
    }),
  );
  if (data === undefined) {
    return (
      <tr>
        <td colSpan={columns.length} role="status" className="dim">
          {error ? <ErrorMessage error={error} /> : own.loading}
        </td>
      </tr>
    );
  }
  const rows = data.rows.map((row): BarRow => {
    const conditions = [...ofSource, ...(conditionsOf('referringDomain', row[0]) ?? [])];
    return {
      ...rowOf(row, data),
      key: `${source} ${row[0]}`,
      filter: {
        href: addressOf(path, withConditions(question, conditions)),
        isOn: hasConditions(question, conditions),
      },
      isUnder: true,
    };
  });
  const others = othersRow(data, own.tables.referringDomain.others, format).map((row) => ({ ...row, isUnder: true }));
  return <BarRows columns={columns} rows={[...rows, ...others]} />;
}
