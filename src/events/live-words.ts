/** How one event reads in a line: the words beside its name, and whom it belongs to. Pure. */
import { eventMarks, type LiveRow } from './contract.ts';
import type { LiveSource } from './live-queries.ts';

const longestDetail = 200;

/** Property names that say what an event is about, the most telling first; senders write in several languages. */
const telling = [
  ...['name', 'nome', 'title', 'titulo', 'product', 'produto', 'product_name', 'plan', 'plano', 'item', 'label'],
  ...['query', 'search', 'busca', 'termo', 'path', 'url', 'button', 'action', 'category', 'categoria', 'message'],
];

/** As they matter to readers. */
const vitals = ['LCP', 'INP', 'CLS', 'FCP', 'TTFB'];

/** The row of the stream that a stored event makes. */
export function liveRowOf(source: LiveSource): LiveRow {
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

/** What the event is about, in a few words of its own data; '' where the name says it all. */
export function detailOf(source: Omit<LiveSource, 'ts' | 'receivedAt' | 'uuid' | 'marks'>): string {
  const own = source.own ?? {};
  switch (source.event) {
    case '$pageview':
    case '$pageleave':
    case '$screen':
      return source.path ?? '';
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
