/** Captured values, made fit to be shown and copied. Pure. */
import type { EventDetail } from '#src/events/contract.ts';
import type { JsonValue } from '#src/kit/json.ts';

/** The address, when the text is one of the web (http or https) and nothing else; null for `javascript:` and all others. */
export function webAddress(text: string): string | null {
  if (!/^https?:\/\/[^\s]+$/i.test(text) || text.length > 2_000 || !URL.canParse(text)) return null;
  const { protocol, href } = new URL(text);
  return protocol === 'http:' || protocol === 'https:' ? href : null;
}

/** The word for a value's type. */
export function typeOf(value: JsonValue): EventDetail['properties'][number]['type'] {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'string') return webAddress(value) === null ? 'text' : 'URL';
  return typeof value as 'number' | 'boolean' | 'object';
}

/** JSON on one line when it fits on one, else with a line for each member. */
export function jsonText(value: JsonValue): string {
  const line = JSON.stringify(value);
  return line.length <= 80 ? line : JSON.stringify(value, null, 2);
}

/** The event as JSON, in the shape in which clients send it. */
export function eventJson(detail: EventDetail): string {
  const { uuid, event, distinctId, ts, properties } = detail;
  return JSON.stringify(
    {
      uuid,
      event,
      distinct_id: distinctId,
      timestamp: new Date(ts).toISOString(),
      properties: Object.fromEntries(properties.map(({ name, value }) => [name, value])),
    },
    null,
    2,
  );
}
