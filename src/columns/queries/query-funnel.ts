/** Answers funnels. Apart from `funnels.ts`, which sets of persons use too. */
import type { AnswerParts } from './answer-parts.ts';
import { type Funnel, type FunnelQuery, funnelOf, wantedOfFunnel } from './funnels.ts';
import { prepareSeries } from './prepare-series.ts';

/** @throws AppError `invalid` for filters that cannot be, `timeout` */
export async function queryFunnel(parts: AnswerParts, asked: FunnelQuery): Promise<Funnel> {
  const ready = await prepareSeries(parts, asked, wantedOfFunnel(asked));
  const found = await funnelOf(ready, asked, { listsPeople: false });
  if (asked.earlier === null) return { ...found.funnel, earlier: null };
  const texts = found.funnel.rows.map(({ value }) => value);
  const earlier = await funnelOf(ready, { ...asked, ...asked.earlier }, { listsPeople: false, texts });
  return { ...found.funnel, earlier: { total: earlier.funnel.total, rows: earlier.funnel.rows } };
}
