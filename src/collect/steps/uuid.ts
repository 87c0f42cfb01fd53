/** The step that gives an event its identity: what a client sends twice must get the same one twice. */
import { lowerUuid, respelledUuid, uuidV5, uuidV7 } from '#src/kit/ids.ts';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import type { Draft, Earlier, StepContext } from './draft.ts';

/**
 * The client's uuid. Without one: derived from the client's `$insert_id` or `messageId`, else from the event's time, content and number of
 * equal events before it in the request; otherwise random. Nil and max uuids and other text are no identity: many
 * events share them. (The project is not an input: stored identities are per project, and it may be unknown while the
 * database is unavailable.)
 */
export function putUuid(draft: Draft, context: StepContext): null {
  const { earlier } = context;
  const { raw, sent, event, distinctId } = draft;
  const given = raw['uuid'];
  if (given !== undefined && given !== null && given !== '') {
    const uuid = typeof given === 'string' ? (lowerUuid(given) ?? respelledUuid(given)) : null;
    if (uuid !== null && uuid !== NIL && uuid !== MAX) {
      draft.uuid = uuid;
      return null;
    }
    context.warn('bad_uuid', draft, (typeof given === 'string' ? given : JSON.stringify(given)).slice(0, 60));
  }
  const insertId = sent['$insert_id'];
  const { messageId, timestamp } = raw;
  if (typeof insertId === 'string' && insertId !== '') {
    draft.uuid = uuidV5(nameOf('insert', distinctId, event, insertId));
  } else if (typeof messageId === 'string' && messageId !== '') {
    draft.uuid = uuidV5(nameOf('message', distinctId, event, messageId));
  } else if (timestamp !== undefined && timestamp !== null) {
    const content = [canonicalJson(sent), ...besides(raw)];
    const derived = uuidV5(nameOf('content', distinctId, event, JSON.stringify(timestamp), ...content));
    draft.uuid = earlier === null ? derived : nthOf(derived, earlier);
  } else {
    draft.uuid = uuidV7(context.facts.receivedAt);
  }
  return null;
}

const NIL = '00000000-0000-0000-0000-000000000000';
const MAX = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Three equal events of one request happened three times. Of two requests they are one sent twice, and the first keeps what it derives from. */
function nthOf(derived: string, { derived: counts }: Earlier): string {
  const nth = (counts.get(derived) ?? 0) + 1;
  counts.set(derived, nth);
  return nth === 1 ? derived : uuidV5(nameOf('again', derived, String(nth)));
}

/** Inputs beside the properties: person changes, and text that is no uuid. */
function besides(raw: JsonObject): string[] {
  return ['uuid', '$set', '$set_once', '$unset'].flatMap((name) => {
    const value = raw[name];
    return value === undefined ? [] : [name, canonicalJson(value)];
  });
}

function nameOf(...parts: string[]): string {
  return parts.join('\0');
}

/** JSON with the names of every object in order, so that equal content gives equal text. */
function canonicalJson(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name] as JsonValue)}`).join(',')}}`;
}
