/** One-line summary of an event: its detail and person. Pure. */
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import { pageOf, pageOfProperties } from '#src/kit/reading/page.ts';
import { plainReader, type Reader } from '#src/kit/reading/reader.ts';
import { eventMarks, type LiveRow } from './contract.ts';
import type { LiveSource } from './live-queries.ts';
import { readable } from './values.ts';

const longestDetail = 200;

/** Property names that say what an event is about, the most telling first; senders write in several languages. */
const telling = [
  'name',
  'nome',
  'title',
  'titulo',
  'product',
  'produto',
  'product_name',
  'plan',
  'plano',
  'item',
  'label',
  'query',
  'search',
  'busca',
  'termo',
  'path',
  'url',
  'button',
  'action',
  'category',
  'categoria',
  'message',
];

/** In order of importance. */
const vitals = ['LCP', 'INP', 'CLS', 'FCP', 'TTFB'];

/** The row of the stream that a stored event makes. */
export function liveRowOf(reader: Reader, stored: LiveSource): LiveRow {
  const source = { ...stored, path: pageOf(reader, stored) ?? stored.address };
  return {
    ts: source.ts,
    receivedAt: source.receivedAt,
    uuid: source.uuid,
    event: source.event,
    detail: detailOf(source).slice(0, longestDetail),
    person: {
      uuid: source.person ?? '',
      identified: source.identified ?? false,
      label: labelOf(source.personName, source.personEmail),
      distinctId: source.distinctId,
    },
    path: source.path,
    country: source.country,
    bot: (source.marks & (eventMarks.bot | eventMarks.internal)) === eventMarks.bot,
  };
}

/** A name, else an e-mail address, else null. */
export function labelOf(name: unknown, email: unknown): string | null {
  for (const text of [name, email]) {
    if (typeof text === 'string' && text.trim() !== '') return text;
  }
  return null;
}

interface DetailSource
  extends Pick<LiveSource, 'event' | 'elementText' | 'elementsChain' | 'exceptionType' | 'exceptionValue' | 'own'> {
  path: string | null;
}

/** Short summary of the event from its data; '' when the name suffices. */
export function detailOf(source: DetailSource): string {
  const own = source.own ?? {};
  switch (source.event) {
    case '$pageview':
    case '$pageleave':
    case '$screen':
      return readable(source.path ?? '');
    case '$autocapture':
    case '$copy_autocapture':
    case '$rageclick':
    case '$dead_click':
      return source.elementText?.trim() || wordsOfElement(source.elementsChain ?? '');
    case '$exception':
      return [source.exceptionType, source.exceptionValue].filter((part) => part).join(': ');
    case '$web_vitals':
      return vitals.flatMap((metric) => wordsOfVital(metric, own[`$web_vitals_${metric}_value`])).join(', ');
    default:
      return wordsOfProperties(own);
  }
}

/** The same for an event with loaded properties. @param all including group properties; `own` without */
export function detailOfProperties(event: string, all: JsonObject, own: JsonObject, reader = plainReader): string {
  const plain = Object.entries(own).filter(
    ([name, value]) => isPlain(value) && (!name.startsWith('$') || isVital(name)),
  );
  const [exception] = listOf(all['$exception_list']);
  const part = (name: 'type' | 'value') =>
    typeof exception === 'object' && exception !== null && !Array.isArray(exception) ? textOf(exception[name]) : null;
  return detailOf({
    event,
    path: pageOfProperties(reader, all),
    elementText: textOf(all['$el_text']),
    elementsChain: textOf(all['$elements_chain']),
    exceptionType: part('type') ?? textOf(listOf(all['$exception_types'])[0]) ?? textOf(all['$exception_type']),
    exceptionValue: part('value') ?? textOf(listOf(all['$exception_values'])[0]) ?? textOf(all['$exception_message']),
    own: Object.fromEntries(plain) as Record<string, string | number | boolean>,
  }).slice(0, longestDetail);
}

function isPlain(value: JsonValue): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function isVital(name: string): boolean {
  return name.startsWith('$web_vitals_') && name.endsWith('_value');
}

function listOf(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: JsonValue | undefined): string | null {
  return value === undefined || value === null ? null : typeof value === 'string' ? value : JSON.stringify(value);
}

/** The text of the element that was clicked, else its kind. */
function wordsOfElement(chain: string): string {
  const target = /^(?:[^";]|"(?:[^"\\]|\\.)*")*/.exec(chain)?.[0] ?? '';
  const text = /(?:^|["])text="((?:[^"\\]|\\.)*)"/.exec(target)?.[1];
  return text?.replaceAll('\\"', '"').trim() || (/^[a-z][\w-]*/i.exec(target)?.[0] ?? '');
}

function wordsOfVital(metric: string, value: unknown): string[] {
  if (typeof value !== 'number') return [];
  return [metric === 'CLS' ? `CLS ${Number(value.toFixed(3))}` : `${metric} ${Math.round(value)} ms`];
}

function wordsOfProperties(own: Record<string, string | number | boolean>): string {
  for (const name of telling) {
    const value = own[name];
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return Object.entries(own)
    .filter(([name]) => !name.startsWith('$'))
    .slice(0, 2)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}
