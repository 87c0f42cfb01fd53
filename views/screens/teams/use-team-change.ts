/** After a change: what is shown of the team is asked for again. */
import { useQueryClient } from '@tanstack/react-query';
import { useTrpc } from '#views/trpc.ts';

export function useTeamChange(team: number): () => Promise<void> {
  const trpc = useTrpc();
  const queryClient = useQueryClient();
  return async () => {
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: trpc.accounts.teams.view.queryKey({ team }) }),
      queryClient.invalidateQueries({ queryKey: trpc.accounts.me.queryKey() }),
    ]);
  };
}
