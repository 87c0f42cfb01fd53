/** An insight as a drawing that stands alone, made by the server: for files and the public API. Pure. */
import type { ResolvedRange } from '#src/insights/contract.ts';
import type { FunnelResult } from '#src/insights/kinds/funnel/contract.ts';
import type { LifecycleResult } from '#src/insights/kinds/lifecycle/contract.ts';
import type { PathsResult } from '#src/insights/kinds/paths/contract.ts';
import type { RetentionResult } from '#src/insights/kinds/retention/contract.ts';
import type { StickinessResult } from '#src/insights/kinds/stickiness/contract.ts';
import type { TrendsResult } from '#src/insights/kinds/trends/contract.ts';
import type { Insight } from '#views/insights/insight.ts';
import { insightWords } from '#views/words/insights.ts';
import { framed } from './frame.ts';
import { drawFunnel } from './funnel.ts';
import { palettes } from './palette.ts';
import { drawPaths } from './paths.ts';
import { drawLifecycle, drawRetention, drawStickiness } from './periods.ts';
import type { Body, Reader } from './reader.ts';
import { drawTrends } from './trends.ts';

export type { Reader } from './reader.ts';

export interface DrawnInsight {
  insight: Insight;
  /** Of the insight's kind. */
  result: unknown;
  /** Absent: the kind is the title. */
  name?: string | undefined;
}

/** @returns an SVG document */
export function drawInsight({ insight, result, name }: DrawnInsight, reader: Reader): string {
  const { words, format, today } = reader;
  const kind = insightWords[words.language].kinds[insight.kind];
  const { range } = result as { range: ResolvedRange };
  const dates = format.range(range.fromDate, range.toDate, Number(today.slice(0, 4)));
  const { legend = [], notes = [], drawn } = bodyOf(insight, result, reader);
  return framed({
    title: name ?? kind,
    subtitle: name === undefined ? dates : `${kind} · ${dates}`,
    legend,
    notes,
    palette: palettes[reader.theme],
    drawn,
  });
}

function bodyOf(insight: Insight, result: unknown, reader: Reader): Body {
  switch (insight.kind) {
    case 'trends':
      return drawTrends(insight, result as TrendsResult, reader);
    case 'funnel':
      return drawFunnel(insight, result as FunnelResult, reader);
    case 'retention':
      return drawRetention(insight, result as RetentionResult, reader);
    case 'paths':
      return drawPaths(result as PathsResult, reader);
    case 'lifecycle':
      return drawLifecycle(insight, result as LifecycleResult, reader);
    case 'stickiness':
      return drawStickiness(insight, result as StickinessResult, reader);
  }
}
