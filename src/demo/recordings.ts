/**
 * Recordings of visits to the sample shop, as posthog-js would have sent them: a page is drawn for each view, the mouse moves, buttons are clicked, fields
 * typed into and masked. A visit whose checkout breaks ends in clicks of rage. Pure.
 */
import type { JsonObject } from '#src/kit/json.ts';
import { hourMs } from '#src/kit/zone.ts';
import { createRandom, type Random } from './random.ts';
import { DOCUMENT, type RecordedPage, recordedPage, type Spot } from './recorded-page.ts';
import type { Action, Visit } from './visits.ts';

/** An element of a request to `/s`. */
export interface SentRecording {
  uuid: string;
  event: '$snapshot';
  timestamp: string;
  properties: JsonObject;
}

/** Visits that are recorded: those with errors, and a sample of the others, of so many days. */
export const RECORDED_DAYS = 5;
const MAX_RECORDED = 60;
const SAMPLE = 0.06;
const SHORTEST_MS = 8_000;
/** A visit that is not over at the end of the story. */
const NOW_MS = 20 * 60_000;
/** The client sends every few seconds; a story may take longer steps. */
const FLUSH_MS = 20_000;
/** Nobody reads a page for longer without the tab being left. */
const MAX_STAY_MS = 90_000;

/** Chooses the visits that were recorded: the newest ones. */
export function recordedVisits(visits: readonly Visit[], end: number): Visit[] {
  const chosen = visits.filter(({ actions, session, visitor }) => {
    const [first, last] = [actions[0], actions.at(-1)];
    if (first === undefined || last === undefined || last.at - first.at < SHORTEST_MS) return false;
    if (visitor.device.type === 'Tablet') return false;
    const isNow = last.at > end - NOW_MS && first.at < end - 60_000;
    return isNow || actions.some(isProblem) || createRandom(Number.parseInt(session.slice(-8), 16)).chance(SAMPLE);
  });
  return chosen.slice(-MAX_RECORDED);
}

function isProblem({ event }: Action): boolean {
  return event === '$exception';
}

/** What the browser of a visit sent. */
export function recordingOf(visit: Visit, token: string, end: number): SentRecording[] {
  const recorder = new Recorder(visit, end);
  const { session, window } = visit;
  const sent: SentRecording[] = [];
  const random = createRandom(Number.parseInt(session.slice(-7), 16));
  const events = recorder.record();
  for (let from = 0; from < events.length; ) {
    const begin = events[from]?.timestamp ?? 0;
    let to = from + 1;
    while (to < events.length && (events[to]?.timestamp ?? 0) - begin < FLUSH_MS) to++;
    const part = events.slice(from, to);
    const at = part.at(-1)?.timestamp ?? begin;
    const { distinctId } = visit.actions.findLast((action) => action.at <= at) ?? (visit.actions[0] as Action);
    sent.push({
      uuid: random.uuid(at),
      event: '$snapshot',
      timestamp: new Date(at).toISOString(),
      properties: {
        $snapshot_data: part,
        $session_id: session,
        $window_id: window,
        $lib: 'web',
        token,
        distinct_id: distinctId,
      },
    });
    from = to;
  }
  return sent;
}

interface TimedEvent extends JsonObject {
  timestamp: number;
}

class Recorder {
  private readonly events: TimedEvent[] = [];
  private readonly random: Random;
  private readonly viewport: readonly [number, number];
  private mouse: { x: number; y: number };
  private page: RecordedPage | null = null;
  private readonly visit: Visit;
  private readonly end: number;

  constructor(visit: Visit, end: number) {
    this.visit = visit;
    this.end = end;
    this.random = createRandom(Number.parseInt(visit.session.slice(-6), 16));
    this.viewport = visit.visitor.device.viewport;
    this.mouse = { x: this.viewport[0] / 2, y: this.viewport[1] / 2 };
  }

  record(): TimedEvent[] {
    const { actions } = this.visit;
    actions.forEach((action, index) => {
      if (action.event === '$pageview') this.view(action, actions.slice(index + 1));
      else if (action.event === '$exception') this.fail(action);
    });
    return this.events
      .filter(({ timestamp }) => timestamp <= this.end)
      .sort((one, other) => one.timestamp - other.timestamp);
  }

  private add(type: number, timestamp: number, data: JsonObject): void {
    this.events.push({ type, data, timestamp: Math.round(timestamp) });
  }

  private change(at: number, data: JsonObject): void {
    this.add(3, at, data);
  }

  /** A page, and what is done on it until the next one. */
  private view({ at, page: path }: Action, after: readonly Action[]): void {
    const page = recordedPage(path, this.viewport);
    this.page = page;
    const [width, height] = this.viewport;
    this.add(4, at, { href: page.href, width, height });
    this.add(2, at + 1, page.snapshot);
    this.add(5, at + 2, { tag: '$pageview', payload: { href: page.href } });
    const next = after.find(({ event }) => event === '$pageview' || event === '$pageleave');
    const until = Math.min(next?.at ?? at + 20_000, at + MAX_STAY_MS);
    if (page.fields.length > 0) this.fill(page, at + 2_500, until);
    else this.look(page, at + 900, until);
    const goesOn = next?.event === '$pageview' && until === next.at;
    if (goesOn) this.click(page.button, until - 350);
  }

  /** Reads: the mouse goes from one thing to another, and the page is scrolled now and then. */
  private look({ looked, note }: RecordedPage, from: number, until: number): void {
    let at = from;
    while (at < until - 1_500) {
      if (looked.length > 0) this.move(this.random.pick(looked), at);
      if (this.random.chance(0.4)) this.scroll(at + 700);
      if (this.random.chance(0.15)) this.write(note, 'Só mais 6 unidades', at + 900);
      at += 1_500 + this.random.next() * 6_000;
    }
  }

  /** Types into the fields of the checkout. The client masks what is typed. */
  private fill({ fields }: RecordedPage, from: number, until: number): void {
    let at = from;
    for (const field of fields) {
      if (at > until - 2_000) return;
      this.click(field, at);
      const length = this.random.int(6, 14);
      for (let typed = 1; typed <= length; typed++) {
        at += 90 + this.random.next() * 160;
        this.change(at, { source: 5, id: field.id, text: '*'.repeat(typed), isChecked: false });
      }
      at += 900;
    }
  }

  /** The error in the console; at the checkout the visitor clicks in vain. */
  private fail({ at, page: path, properties }: Action): void {
    const [exception] = properties['$exception_list'] as { type: string; value: string }[];
    const payload = {
      level: 'error',
      trace: [],
      payload: [JSON.stringify(`Uncaught ${exception?.type}: ${exception?.value}`)],
    };
    this.add(6, at, { plugin: 'rrweb/console@1', payload });
    if (this.page === null || !path.startsWith('/checkout')) return;
    const { button } = this.page;
    this.change(at + 40, {
      source: 0,
      texts: [],
      removes: [],
      adds: [],
      attributes: [{ id: button.id, attributes: { class: 'buy busy' } }],
    });
    for (let times = 0; times < 5; times++) this.click(button, at + 1_600 + times * 240);
    this.add(6, at + 3_000, {
      plugin: 'rrweb/network@1',
      payload: {
        requests: [{ name: '/api/frete', initiatorType: 'fetch', responseStatus: 500, duration: 212, startTime: 0 }],
      },
    });
  }

  private move({ x, y }: Pick<Spot, 'x' | 'y'>, at: number): void {
    const steps = 6;
    const from = this.mouse;
    const positions = Array.from({ length: steps }, (_, step) => ({
      x: Math.round(from.x + ((x - from.x) * (step + 1)) / steps),
      y: Math.round(from.y + ((y - from.y) * (step + 1)) / steps),
      id: this.page?.button.id ?? 1,
      timeOffset: (step - steps + 1) * 60,
    }));
    this.mouse = { x, y };
    this.change(at, { source: 1, positions });
  }

  private click(spot: Spot, at: number): void {
    if (this.mouse.x !== spot.x || this.mouse.y !== spot.y) this.move(spot, at - 120);
    for (const [type, after] of [
      [1, 0],
      [0, 70],
      [2, 72],
    ] as const) {
      this.change(at + after, { source: 2, type, id: spot.id, x: spot.x, y: spot.y });
    }
  }

  private scroll(at: number): void {
    const y = this.random.int(0, 500);
    this.change(at, { source: 3, id: DOCUMENT, x: 0, y: Math.round(y / 2) });
    this.change(at + 150, { source: 3, id: DOCUMENT, x: 0, y });
  }

  private write(id: number, value: string, at: number): void {
    this.change(at, { source: 0, texts: [{ id, value }], attributes: [], removes: [], adds: [] });
  }
}

/** The first moment from which visits are recorded, ms. */
export function recordedFrom(end: number): number {
  return end - RECORDED_DAYS * 24 * hourMs;
}
