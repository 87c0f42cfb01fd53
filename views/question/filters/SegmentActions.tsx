/** Actions on a changed segment: save, save as, or discard. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { mayCall } from '#src/accounts/values.ts';
import { useProjects } from '#views/frame/queries.ts';
import { Button, ButtonLink } from '#views/kit/Button.tsx';
import { ErrorMessage } from '#views/kit/ErrorMessage.tsx';
import { FormError } from '#views/kit/Field.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useNavigate } from '#views/navigation.tsx';
import { useTrpc } from '#views/trpc.ts';
import { segmentWords } from '#views/words/segments.ts';
import { usePart } from '#views/words/words.tsx';
import { addressOf } from '../question.ts';
import { SegmentForm } from './SegmentForm.tsx';
import type { OpenSegment } from './segment-edit.ts';

export interface SegmentActionsProps {
  project: string;
  path: string;
  open: OpenSegment;
  /** The segment as it is saved. */
  discardHref: string;
}

export function SegmentActions({ project, path, open: { segment, question }, discardHref }: SegmentActionsProps) {
  const text = usePart(segmentWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const { navigate } = useNavigate();
  const change = useMutation(trpc.insights.segments.change.mutationOptions());
  const [isNew, setIsNew] = useState(false);
  const role = useProjects()?.current?.role ?? 'viewer';
  const { filters, people } = question;
  const isEmpty = (filters ?? people) === null;

  async function show(id: number): Promise<void> {
    // Answers about the segment are those of what it meant before.
    await client.invalidateQueries({ queryKey: trpc.insights.pathKey() });
    navigate(addressOf(path, { ...question, segment: id, edited: null, filters: null, people: null }));
  }

  async function update(): Promise<void> {
    const which = { filters: filters ?? { match: 'all' as const, of: [] }, ...(people && { people }) };
    await change.mutateAsync({ project, segment: segment.id, ...which });
    showToast(text.updated);
    await show(segment.id);
  }

  return (
    <>
      {segment.isMine && !isEmpty && mayCall('insights.segments.save', role) && (
        <Button
          small
          kind="primary"
          className="no-print script-only"
          busy={change.isPending && text.saving}
          // Its failure is shown below.
          onClick={() => void update().catch(() => undefined)}
        >
          {text.update}
        </Button>
      )}
      {!isEmpty && mayCall('insights.segments.save', role) && (
        <Button small className="no-print script-only" onClick={() => setIsNew(true)}>
          {text.saveNew}
        </Button>
      )}
      <ButtonLink small kind="quiet" className="no-print" href={discardHref}>
        {text.discard}
      </ButtonLink>
      {change.error !== null && (
        <FormError>
          <ErrorMessage error={change.error} />
        </FormError>
      )}
      {isNew && (
        <SegmentForm
          project={project}
          segment={null}
          filters={filters}
          people={people}
          onClose={() => setIsNew(false)}
          onDone={async (id) => {
            setIsNew(false);
            if (typeof id === 'number') await show(id);
          }}
        />
      )}
    </>
  );
}
