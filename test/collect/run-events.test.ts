import { createGroupCaches } from '#src/collect/group-caches.ts';
import { newIntakeCounts } from '#src/collect/intake-counts.ts';
import { createNotes } from '#src/collect/notes.ts';
import { createRunner, type Sender } from '#src/collect/run-events.ts';
import { dropByProject } from '#src/collect/unrouted.ts';
import { eventMarks } from '#src/events/contract.ts';
import type { JsonValue } from '#src/kit/json.ts';
import { dayMs } from '#src/kit/zone.ts';
import { CHROME, NOW, testContext } from './context.ts';
import { testProject } from './server.ts';

const { lookups, project } = testContext();
const sender: Sender = {
  receivedAt: NOW,
  address: '177.32.5.9',
  userAgent: CHROME,
  origin: null,
  unclean: false,
  length: 100,
  maxEventLength: 1_000,
};

describe('running the steps', () => {
  const runOver = (events: JsonValue[]) => {
    const counts = newIntakeCounts();
    const notes = createNotes();
    const batch = { events, sentAt: null, historical: false };
    const ran = createRunner({ lookups, counts })({ project, batch, sender, salts: new Map(), notes });
    return { ran, counts, notes };
  };

  it('gives what is finished and what is dropped in order, and lets go of what was sent', () => {
    const events: JsonValue[] = [{ event: 'a', distinct_id: 'd' }, { event: '' }, 'text'];
    const { ran, counts, notes } = runOver(events);
    if (ran instanceof Promise) throw new Error('a small request took a turn');
    expect(ran.finished.map(({ event }) => event)).toEqual(['a']);
    expect(ran.results.map((result) => result?.outcome ?? null)).toEqual([null, 'no_name', 'not_an_event']);
    expect(counts.dropped).toEqual({ no_name: 1, not_an_event: 1 });
    expect(notes.list.map(({ reason }) => reason)).toEqual(['no_name', 'not_an_event']);
    expect(events).toEqual([null, null, null]);
  });

  it('takes turns over a large request', async () => {
    const { ran } = runOver(Array.from({ length: 251 }, () => ({ event: 'a', distinct_id: 'd' })));
    expect(ran).toBeInstanceOf(Promise);
    expect((await ran).finished).toHaveLength(251);
  });
});

it('remembers the groups of each project, and forgets them all when they take too much', () => {
  const cacheOf = createGroupCaches(10);
  const seven = cacheOf(7);
  expect(cacheOf(8)).not.toBe(seven);
  expect(cacheOf(7)).toBe(seven);
  seven.names.set('a long name of an event', 'a long name of an event');
  seven.visits.grow(1_000);
  expect(cacheOf(7)).not.toBe(seven);
});

describe('what was kept without its project', () => {
  const own = testProject({
    retentionDays: 30,
    respectDnt: true,
    bots: 'dropped',
    allowedOrigins: ['https://a.example'],
  });
  const project = { ...own, closedUntil: NOW - 20 * dayMs };
  const event = { ts: NOW, marks: 0 };
  const sent = { receivedAt: NOW, origin: 'https://a.example', asksNotToTrack: false };

  it.each([
    [event, sent, null],
    [event, { ...sent, origin: 'https://b.example' }, 'origin'],
    [event, { ...sent, asksNotToTrack: true }, 'do_not_track'],
    [{ ...event, ts: NOW - 30 * dayMs - 1 }, sent, 'expired'],
    [{ ...event, ts: NOW - 30 * dayMs }, sent, 'dropped_month'],
    [{ ...event, ts: NOW - 20 * dayMs }, sent, null],
    [{ ...event, marks: eventMarks.bot }, sent, 'bot'],
  ])('is dropped by its settings: %j, %j', (kept, how, reason) => {
    expect(dropByProject(kept, project, how)).toBe(reason);
  });
});
