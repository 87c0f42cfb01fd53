/** Props of the parts of a trends result. */
import type { TrendsResult } from '#src/insights/kinds/trends/contract.ts';
import type { AnswerProps } from '../kind-view.ts';
import type { TrendsRow } from './rows.ts';

export interface PartProps extends AnswerProps<'trends'> {
  result: TrendsResult;
  rows: readonly TrendsRow[];
  /** Those of the rows that the chart shows. */
  drawn: readonly TrendsRow[];
  labelOf(row: TrendsRow): string;
  /** The range in words. */
  dates: string;
}
