/** Settings to change when visitors get the address of a proxy. Empty if all is well, or if the reader cannot change settings. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { Callout } from '#views/kit/Callout.tsx';
import { useTrpc } from '#views/trpc.ts';
import { proxyWords } from '#views/words/proxies.ts';
import { usePart, useWords } from '#views/words/words.tsx';

/** How often the server is asked again. */
const EVERY_MS = 10_000;

export function useProxyProblem() {
  const trpc = useTrpc();
  return useSuspenseQuery({ ...trpc.proxies.problem.queryOptions(), refetchInterval: EVERY_MS }).data;
}

export function ProxyNotice() {
  const text = usePart(proxyWords);
  const { format } = useWords();
  const problem = useProxyProblem();
  if (problem === null) return null;
  return <Callout tone="warn">{text.problem(problem, format.number)}</Callout>;
}
