/** What the inspector lists of a recording: pages, console and network. Pure. */
import { CUSTOM, fieldOf, listOf, META, PLUGIN, type RecordedEvent, textOf } from './recorded.ts';

export const noteKinds = ['page', 'event', 'console', 'network', 'error'] as const;
export type NoteKind = (typeof noteKinds)[number];

export interface Note {
  key: string;
  kind: NoteKind;
  /** ms by our clock. */
  at: number;
  title: string;
  detail: string;
  isProblem: boolean;
  /** Key of the event, when it is one. */
  event: string | null;
}

const SLOW_MS = 1_000;
const MAX_TEXT = 2_000;

/** Of one recorded event; `index` tells its notes from those of others at the same time. */
export function notesOf(event: RecordedEvent, window: string, index: number): Note[] {
  const { type, data, timestamp: at } = event;
  const note = (kind: NoteKind, title: string, detail: string, more: Partial<Note> = {}): Note => ({
    key: `${window} ${index} ${more.key ?? ''}`,
    kind,
    at: more.at ?? at,
    title: title.slice(0, MAX_TEXT),
    detail: detail.slice(0, MAX_TEXT),
    isProblem: more.isProblem ?? false,
    event: null,
  });
  if (type === META) {
    const href = textOf(fieldOf(data, 'href'));
    return href === '' ? [] : [note('page', pagePathOf(href), '')];
  }
  if (type === CUSTOM && fieldOf(data, 'tag') === '$url_changed') {
    const href = textOf(fieldOf(fieldOf(data, 'payload'), 'href'));
    return href === '' ? [] : [note('page', pagePathOf(href), '')];
  }
  if (type !== PLUGIN) return [];
  const payload = fieldOf(data, 'payload');
  const plugin = textOf(fieldOf(data, 'plugin'));
  if (plugin.startsWith('rrweb/console@')) {
    const level = textOf(fieldOf(payload, 'level')) || 'log';
    const text = listOf(fieldOf(payload, 'payload')).map(plainText).join(' ');
    const isProblem = level === 'error' || level === 'assert';
    return [note('console', level, text, { isProblem })];
  }
  if (plugin.startsWith('rrweb/network@')) {
    return listOf(fieldOf(payload, 'requests')).flatMap((request, each) => {
      const name = textOf(fieldOf(request, 'name'));
      if (name === '' || name.startsWith('data:')) return [];
      const status = Number(fieldOf(request, 'responseStatus') ?? fieldOf(request, 'status') ?? 0);
      const duration = Math.round(Number(fieldOf(request, 'duration') ?? 0));
      const begun = Number(fieldOf(request, 'timestamp'));
      const method = textOf(fieldOf(request, 'method')) || textOf(fieldOf(request, 'initiatorType'));
      const facts = [status > 0 ? String(status) : '', duration > 0 ? `${duration} ms` : ''];
      const isProblem = status >= 400 || (duration > SLOW_MS && fieldOf(request, 'entryType') !== 'navigation');
      return [
        note('network', `${method} ${pathOf(name)}`.trim(), facts.filter((fact) => fact !== '').join(' · '), {
          key: String(each),
          isProblem,
          ...(Number.isFinite(begun) && Math.abs(begun - at) < 60_000 && { at: begun }),
        }),
      ];
    });
  }
  return [];
}

/** Texts are logged as JSON. */
function plainText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (!/^".*"$/s.test(text)) return text;
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}

function pagePathOf(address: string): string {
  return URL.parse(address)?.pathname ?? address;
}

function pathOf(address: string): string {
  const url = URL.parse(address);
  return url === null ? address : `${url.pathname}${url.search}`;
}

/** Pages follow one another: the same one again is none. Events of the product say more than what the recorder saw. */
export function withoutRepeats(notes: readonly Note[], hasViews: boolean): Note[] {
  let page = '';
  return notes.filter((note) => {
    if (note.kind !== 'page' || note.event !== null) return true;
    if (hasViews || note.title === page) return false;
    page = note.title;
    return true;
  });
}
