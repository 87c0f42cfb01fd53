/** How the answer to an insight is asked for. */
import { useRefreshEvery } from '#views/kit/refresh-every.tsx';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import { type Insight, inputOf } from './insight.ts';

// The options of different procedures have no common type.
// biome-ignore lint/suspicious/noExplicitAny: see above
type AnyOptions = any;

/** The query of an insight; the call ends when nobody waits for it any more. */
export function answerOptions(trpc: Trpc, reference: string, insight: Insight): AnyOptions {
  const input = { project: reference, ...inputOf(insight) };
  const procedure = trpc.insights.query[insight.kind] as AnyOptions;
  return procedure.queryOptions(input, { trpc: { abortOnUnmount: true } });
}

export function useAnswerOptions(insight: Insight, reference: string): AnyOptions {
  const trpc = useTrpc();
  const every = useRefreshEvery();
  return {
    ...answerOptions(trpc, reference, insight),
    refetchInterval: (query: { state: { data?: { range: { until: number | null } } } }) =>
      query.state.data?.range.until == null ? false : every,
  };
}
