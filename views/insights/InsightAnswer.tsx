/** The answer to an insight of any kind, and how it is calculated. */
import { insightAddress } from './address.ts';
import { Explained } from './Explained.tsx';
import type { InsightQueryProps } from './InsightQuery.tsx';
import type { KindName } from './insight.ts';
import type { AnswerProps } from './kind-view.ts';
import { viewOf } from './kinds.ts';
import type { Point } from './points.ts';

export interface InsightAnswerProps extends InsightQueryProps {
  /** A number was pressed; absent: nobody can be shown behind it. */
  onPoint?: ((point: Point) => void) | undefined;
}

export function InsightAnswer({ path, insight, ...parts }: InsightAnswerProps) {
  const { Answer } = viewOf(insight.kind);
  return (
    <>
      <Answer
        key={insight.kind}
        {...parts}
        insight={insight as AnswerProps<KindName>['insight']}
        hrefOf={(next) => insightAddress(path, next)}
      />
      <Explained reference={parts.reference} insight={insight} />
    </>
  );
}
