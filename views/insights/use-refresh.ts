import { useQueryClient } from '@tanstack/react-query';
import { useTrpc } from '#views/trpc.ts';

/** Fetches lists of insights and open ones again. */
export function useRefresh(): () => Promise<void> {
  const trpc = useTrpc();
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: trpc.insights.saved.pathKey() });
}
