/** Rows of facts about a person: a name, a value, and the event that it comes from. */
import type { ReactNode } from 'react';
import type { Role } from '#src/accounts/values.ts';
import type { PersonDetail, Source } from '#src/profiles/contract.ts';
import { keyOf } from '#views/kit/event-key.ts';
import { Link } from '#views/kit/Link.tsx';
import { peopleWords } from '#views/words/people.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Person.module.css';
import { personAddress } from './person-address.ts';

export interface PersonFactsProps {
  project: string;
  person: PersonDetail;
  role: Role;
  day(at: number): string;
  timeZone: string;
}

export function Item({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface SaidByProps {
  project: string;
  person: string;
  by: Source;
  timeZone: string;
}

/** The event that something comes from, to be opened. */
export function SaidBy({ project, person, by, timeZone }: SaidByProps) {
  const text = usePart(peopleWords);
  const { format } = useWords();
  const when = format.dayTime(by.ts, timeZone);
  if (by.event === null) return <span className={css['by']}>{text.saidByGone(when)}</span>;
  return (
    <Link className={css['by']} href={personAddress(project, { person, kind: null, after: null, open: keyOf(by) })}>
      {text.saidBy(by.event, when)}
    </Link>
  );
}
