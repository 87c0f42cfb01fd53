/** Notes of the period below its chart: read by everybody, written by members. */
import { useState } from 'react';
import { mayCall } from '#src/accounts/values.ts';
import type { Annotation } from '#src/insights/annotations/contract.ts';
import type { ProjectSummary } from '#src/projects/contract.ts';
import { Button } from '#views/kit/Button.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import type { Today } from '#views/question/dates.ts';
import type { Format } from '#views/words/format.ts';
import { noteWords } from '#views/words/notes.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import { NoteForm } from './AddNote.tsx';
import { type Around, aroundOf } from './around.ts';
import css from './Notes.module.css';

const SHOWN = 5;

export interface NotesProps {
  reference: string;
  /** The newest first. */
  notes: readonly Annotation[];
  project: ProjectSummary;
  now: Today;
  /** The days after a note, compared with those before it. */
  aroundHref(around: Around): string;
}

export function Notes({ reference, notes, project, now, aroundHref }: NotesProps) {
  const own = usePart(noteWords);
  const { format } = useWords();
  const isWriter = mayCall('insights.annotations.create', project.role);
  const [edited, setEdited] = useState<Annotation | null>(null);
  if (notes.length === 0) return null;
  const list = (some: readonly Annotation[]) => (
    <ul className={css['list']} aria-label={own.title}>
      {some.map((note) => (
        <li key={note.id}>
          <span className={css['when']}>{noteDate(note, project.timeZone, now, format)}</span>
          <span className={css['text']}>
            {note.text}
            {note.url && (
              <>
                {' '}
                <a href={note.url} target="_blank" rel="noreferrer" aria-label={`${note.text}: ${own.more}`}>
                  {own.more}
                </a>
              </>
            )}
          </span>
          <AroundLink note={note} project={project} now={now} aroundHref={aroundHref} />
          {isWriter && (
            <Button
              small
              kind="quiet"
              className="no-print script-only"
              aria-label={own.editNamed(note.text)}
              onClick={() => setEdited(note)}
            >
              {own.edit}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
  return (
    <div className={css['notes']}>
      {list(notes.slice(0, SHOWN))}
      {notes.length > SHOWN && (
        <details>
          <summary>{own.all(format.number(notes.length))}</summary>
          {list(notes.slice(SHOWN))}
        </details>
      )}
      {edited !== null && (
        <Late>
          <NoteForm
            reference={reference}
            note={edited}
            day={dayOf(edited, project.timeZone)}
            timeZone={project.timeZone}
            onClose={() => setEdited(null)}
          />
        </Late>
      )}
    </div>
  );
}

function AroundLink({
  note,
  project,
  now,
  aroundHref,
}: Pick<NotesProps, 'project' | 'now' | 'aroundHref'> & { note: Annotation }) {
  const own = usePart(noteWords);
  const around = aroundOf(dayOf(note, project.timeZone), now.today);
  if (around === null) return null;
  return (
    <Link className="link no-print" href={aroundHref(around)} ahead={false} aria-label={own.aroundNamed(note.text)}>
      {own.around}
    </Link>
  );
}

function dayOf({ day, at }: Annotation, timeZone: string): string {
  return day ?? dateIn(at, timeZone);
}

/** "20 Nov", with the time when it is of a moment. */
function noteDate(note: Annotation, timeZone: string, { today }: Today, format: Format): string {
  const date = format.day(dayOf(note, timeZone), Number(today.slice(0, 4)));
  return note.day === null ? `${date}, ${format.time(note.at, timeZone)}` : date;
}
