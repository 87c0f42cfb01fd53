/** Opens the form for a note on the chart. */
import { useState } from 'react';
import { mayCall } from '#src/accounts/values.ts';
import type { ProjectSummary } from '#src/projects/contract.ts';
import { Button } from '#views/kit/Button.tsx';
import { Late } from '#views/kit/Late.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { noteWords } from '#views/words/notes.ts';
import { usePart } from '#views/words/words.tsx';
import type { NoteFormProps } from './NoteForm.tsx';

/** Loaded when it is first opened. */
export const NoteForm = lazyPart<NoteFormProps>(
  'question-forms',
  async () => (await import('#views/areas/question-forms.ts')).NoteForm,
);

export interface AddNoteProps {
  reference: string;
  project: ProjectSummary;
  /** The last of the period, and today: the earlier is proposed. */
  days: string[];
}

export function AddNote({ reference, project, days }: AddNoteProps) {
  const own = usePart(noteWords);
  const [isOpen, setIsOpen] = useState(false);
  const day = days.toSorted()[0] ?? '';
  if (!mayCall('insights.annotations.create', project.role)) return null;
  return (
    <>
      <Button small kind="quiet" className="no-print script-only" onClick={() => setIsOpen(true)}>
        {own.add}
      </Button>
      {isOpen && (
        <Late>
          <NoteForm
            reference={reference}
            note={null}
            day={day}
            timeZone={project.timeZone}
            onClose={() => setIsOpen(false)}
          />
        </Late>
      )}
    </>
  );
}
