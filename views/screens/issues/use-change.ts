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

/** Merging and splitting, each with a way to undo it. */
export function useMoves(project: string) {
  const own = usePart(issueWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const merge = useMutation(trpc.errors.merge.mutationOptions());
  const split = useMutation(trpc.errors.split.mutationOptions());
  const undo = useMutation(trpc.errors.undo.mutationOptions());

  async function run<Result>(act: () => Promise<Result>, done: string): Promise<void> {
    try {
      await act();
      showToast(done);
    } catch {
      showToast(own.failed);
    }
    await client.invalidateQueries({ queryKey: trpc.errors.pathKey() });
  }

  return {
    merge: (issues: readonly number[]) => run(() => merge.mutateAsync({ project, issues: [...issues] }), own.merged),
    split: (issue: number, fingerprints: readonly number[]) =>
      run(() => split.mutateAsync({ project, issue, fingerprints: [...fingerprints] }), own.splitDone),
    undo: (move: number) => run(() => undo.mutateAsync({ project, move }), own.undone),
  };
}
