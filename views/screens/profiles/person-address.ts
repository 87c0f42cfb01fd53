/** State of a person's page in the URL. Pure. */
import type { TimelineInput, TimelineKind } from '#src/profiles/contract.ts';
import { personOf } from '#views/frame/addresses.ts';
import { keyOf, readKey } from '#views/kit/event-key.ts';

export const kinds: readonly TimelineKind[] = ['views', 'clicks', 'own', 'identity', 'problems'];

export interface PersonQuestion {
  person: string;
  kind: TimelineKind | null;
  after: { ts: number; uuid: string } | null;
  /** Key of the event that is open. */
  open: string | null;
}

export function readPersonQuestion(person: string, search: URLSearchParams): PersonQuestion {
  const open = search.get('event');
  return {
    person,
    kind: kinds.find((kind) => kind === search.get('kind')) ?? null,
    after: readKey(search.get('after')),
    open: readKey(open) === null ? null : open,
  };
}

export function personAddress(project: string, { person, kind, after, open }: PersonQuestion): string {
  const search = new URLSearchParams();
  if (kind !== null) search.set('kind', kind);
  if (after !== null) search.set('after', keyOf(after));
  if (open !== null) search.set('event', open);
  const text = search.toString();
  return text === '' ? personOf(project, person) : `${personOf(project, person)}?${text}`;
}

export function timelineInput(project: string, { person, kind, after }: PersonQuestion): TimelineInput {
  return { project, person, ...(kind && { kind }), ...(after && { after }) };
}
