/**
 * A screen and its calls for tests of the machinery: one number that the first paint waits for, one list that comes when it
 * comes, each in a region of its own, and a reader that does not suspend.
 */
import { useSuspenseQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import type { Project } from '#src/projects/projects.ts';
import { projectProcedure, router } from '#src/trpc/procedure.ts';
import { useKnown } from '#views/known.ts';
import type { Route } from '#views/routing.ts';
import type { ScreenModule, ScreenProps } from '#views/screen.ts';
import { useTrpc } from '#views/trpc.ts';

interface Asked {
  project: Project;
  signal: AbortSignal;
}

export interface TestAnswers {
  /** Critical. */
  number(asked: Asked): Promise<number>;
  /** May be late. */
  list(asked: Asked): Promise<string[]>;
}

/** Answers under names of the product, so that the typed client finds them. */
export function testRouter(answers: TestAnswers) {
  const asked = ({
    ctx,
    signal,
  }: {
    ctx: { project: Project; signal: AbortSignal };
    signal?: AbortSignal | undefined;
  }) => ({
    project: ctx.project,
    signal: signal ?? ctx.signal,
  });
  return router({
    insights: router({
      query: router({
        overview: projectProcedure.query((options) => answers.number(asked(options))),
        breakdown: projectProcedure.query((options) => answers.list(asked(options))),
      }),
    }),
  });
}

function useQuestions({ params }: Pick<ScreenProps, 'params'>) {
  const trpc = useTrpc();
  return questions(trpc, params['project'] ?? '');
}

function questions(trpc: ReturnType<typeof useTrpc>, project: string) {
  const range = { project, range: 'last_7_days', compare: 'none' } as const;
  return {
    number: trpc.insights.query.overview.queryOptions(range),
    list: trpc.insights.query.breakdown.queryOptions({ ...range, dimension: 'page' }),
  };
}

function Figure(props: ScreenProps) {
  const { data } = useSuspenseQuery(useQuestions(props).number);
  return <p data-test="number">{JSON.stringify(data)}</p>;
}

function List(props: ScreenProps) {
  const { data } = useSuspenseQuery(useQuestions(props).list);
  return (
    <>
      <p data-test="list">{JSON.stringify(data)}</p>
      <Count {...props} />
    </>
  );
}

function Count(props: ScreenProps) {
  const { data } = useKnown(useQuestions(props).list);
  return <p data-test="count">{data === undefined ? 'unknown' : (data as unknown as string[]).length}</p>;
}

function Broken(): never {
  throw new Error('select secret from nowhere');
}

const screen: ScreenModule = {
  Screen: (props) => (
    <main id="content">
      <h1>Test</h1>
      <Suspense fallback={<p>number is late</p>}>
        <Figure {...props} />
      </Suspense>
      <Suspense fallback={<p>list is late</p>}>
        <List {...props} />
      </Suspense>
      <Count {...props} />
    </main>
  ),
  queries: (trpc, { params }) => {
    const { number, list } = questions(trpc, params['project'] ?? '');
    return [
      { options: number, critical: true },
      { options: list, critical: false },
    ];
  },
  title: () => 'Test',
};

export const testRoutes: readonly Route[] = [
  {
    name: 'test',
    path: '/project/:project/test',
    needs: 'viewer',
    frame: 'project',
    showsEvents: true,
    file: 'test/kit/screen.tsx',
    load: async () => screen,
  },
  {
    name: 'broken',
    path: '/project/:project/broken',
    needs: 'viewer',
    frame: 'project',
    showsEvents: true,
    file: 'test/kit/broken.tsx',
    load: async () => ({
      ...screen,
      queries: () => [],
      Screen: Broken,
    }),
  },
];
