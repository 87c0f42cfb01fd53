/** Preview of a flag's rollout, debounced. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { FlagDraft } from '#src/flags/contract.ts';
import { useSettled } from '#views/kit/use-settled.ts';
import { useTrpc } from '#views/trpc.ts';

const AFTER_MS = 600;

/** @param draft null: it cannot be counted as it is */
export function usePreview(project: string, draft: FlagDraft | null) {
  const settled = useSettled(draft === null ? '' : JSON.stringify(draft), AFTER_MS);
  const asked = settled === '' ? EMPTY : (JSON.parse(settled) as FlagDraft);
  return useQuery({
    ...useTrpc().flags.preview.queryOptions({ project, ...asked }),
    enabled: settled !== '',
    retry: false,
    placeholderData: keepPreviousData,
  });
}

const EMPTY: FlagDraft = {
  key: 'none',
  definition: {
    active: false,
    filters: { groups: [] },
    ensure_experience_continuity: false,
    bucketing_identifier: 'distinct_id',
    evaluation_runtime: 'all',
    evaluation_contexts: [],
  },
};
