/** The answer to an insight of any kind, how it is calculated, and for members the people behind its numbers. */
import { useQueryClient } from '@tanstack/react-query';
import { memo, useCallback, useState } from 'react';
import { isAtLeast } from '#src/accounts/values.ts';
import { Late } from '#views/kit/Late.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { NotedCharts } from '#views/question/notes/NotedCharts.tsx';
import { useTrpc } from '#views/trpc.ts';
import { insightAddress } from './address.ts';
import { Explained } from './Explained.tsx';
import type { InsightQueryProps } from './InsightQuery.tsx';
import type { Insight, KindName } from './insight.ts';
import type { AnswerProps } from './kind-view.ts';
import { viewOf } from './kinds.ts';
import type { PeoplePanelProps } from './PeoplePanel.tsx';
import type { AnswerFrame } from './point-query.ts';
import type { Point } from './points.ts';
import { answerOptions } from './use-answer.ts';

const PeoplePanel = lazyPart<PeoplePanelProps>(
  'insight-people',
  async () => (await import('#views/areas/insight-people.ts')).PeoplePanel,
);

/** A number that was pressed, with the answer that it was in. */
interface Opened {
  insight: Insight;
  result: AnswerFrame;
  point: Point;
}

export function InsightAnswer(props: InsightQueryProps) {
  const { reference, project, goals, now, path, insight } = props;
  const trpc = useTrpc();
  const client = useQueryClient();
  const [opened, setOpened] = useState<Opened | null>(null);
  const onPoint = useCallback(
    (point: Point) => {
      const result = client.getQueryData<AnswerFrame>(answerOptions(trpc, reference, insight).queryKey);
      if (result !== undefined) setOpened({ insight, result, point });
    },
    [client, trpc, reference, insight],
  );
  return (
    <>
      <Drawn {...props} onPoint={isAtLeast(project.role, 'member') ? onPoint : undefined} />
      <Explained reference={reference} insight={insight} />
      {opened !== null && insightAddress(path, opened.insight) === insightAddress(path, insight) && (
        <Late>
          <PeoplePanel
            key={JSON.stringify(opened.point)}
            {...opened}
            reference={reference}
            project={project}
            goals={goals}
            now={now}
            onClose={() => setOpened(null)}
          />
        </Late>
      )}
    </>
  );
}

/** Charts and tables: not drawn again when the people behind a number are opened or closed. */
const Drawn = memo(function Drawn({
  path,
  insight,
  onPoint,
  ...parts
}: InsightQueryProps & { onPoint: ((point: Point) => void) | undefined }) {
  const { Answer } = viewOf(insight.kind);
  return (
    <NotedCharts reference={parts.reference} project={parts.project} range={insight.question.range}>
      <Answer
        key={insight.kind}
        {...parts}
        insight={insight as AnswerProps<KindName>['insight']}
        hrefOf={(next) => insightAddress(path, next)}
        onPoint={onPoint}
      />
    </NotedCharts>
  );
});
