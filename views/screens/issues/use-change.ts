/** Changes issues, and fetches them again. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { IssueChange } from '#src/errors/contract.ts';
import { showToast } from '#views/kit/toast.tsx';
import { useTrpc } from '#views/trpc.ts';
import { issueWords } from '#views/words/issues.ts';
import { usePart } from '#views/words/words.tsx';

export function useChange(project: string): {
  change(issues: readonly number[], change: IssueChange): Promise<void>;
  isPending: boolean;
} {
  const own = usePart(issueWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const mutation = useMutation(trpc.errors.change.mutationOptions());
  return {
    isPending: mutation.isPending,
    async change(issues, change) {
      try {
        await mutation.mutateAsync({ project, issues: [...issues], change });
        showToast(own.changed[change.to]);
      } catch {
        showToast(own.failed);
      }
      await client.invalidateQueries({ queryKey: trpc.errors.pathKey() });
    },
  };
}
