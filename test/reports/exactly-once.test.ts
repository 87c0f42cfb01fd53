/** Two processes that are killed anywhere, and clocks that jump: each due time is sent once, or said to be skipped. */
import type { Ledger } from '#src/reports/ledger.ts';
import { dueTimes, MAX_DELAY_MS } from '#src/reports/schedule.ts';
import { type Due, type SendDueParts, sendDue } from '#src/reports/send-due.ts';
import type { SendNote } from '#src/reports/send-queries.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.parse('2026-01-01T00:00:00Z');
const schedule = { frequency: 'daily', weekday: 1, hour: 8 } as const;
const ZONE = 'America/Sao_Paulo';

/** The same in every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

interface Row extends SendNote {
  retryAt: number | null;
  tries: number;
}

class Killed extends Error {}

/** The rows of a database: what a transaction wrote is there as a whole, or not at all. */
class Rows {
  readonly rows = new Map<number, Row>();
  readonly mails: number[] = [];
  lastDue: number | null = null;
}

/** A process over these rows. `fate` may kill it before and after each statement. */
function ledgerOf(store: Rows, fate: () => void): Ledger<number[]> {
  async function step<Value>(run: () => Value): Promise<Value> {
    fate();
    const value = run();
    fate();
    return value;
  }
  return {
    notes: (_, dues) =>
      step(() => new Map(dues.flatMap((due) => (store.rows.has(due) ? [[due, store.rows.get(due) as Row]] : [])))),
    claim: ({ due }, { now, lease, longest }) =>
      step(() => {
        const known = store.rows.get(due);
        const isFree =
          known === undefined ||
          (known.state === 'pending' && ((known.retryAt ?? 0) <= now || (known.retryAt ?? 0) > now + longest)) ||
          ((known.state === 'skipped' || known.state === 'failed') && known.at > now);
        if (!isFree) return null;
        const tries = known?.state === 'pending' ? known.tries + 1 : 1;
        store.rows.set(due, { state: 'pending', at: now, retryAt: lease, tries });
        return tries;
      }),
    async settle({ due }, now, _, write) {
      fate();
      if (store.rows.get(due)?.state !== 'pending') return false;
      const queued: number[] = [];
      await write(queued);
      // Killed before the commit, nothing of it is there.
      fate();
      if (store.rows.get(due)?.state !== 'pending') return false;
      store.rows.set(due, { state: 'sent', at: now, retryAt: null, tries: 1 });
      store.mails.push(...queued);
      store.lastDue = due;
      fate();
      return true;
    },
    end: ({ due }, { state, now }) =>
      step(() => {
        if (store.rows.get(due)?.state === 'sent') return;
        store.rows.set(due, { state, at: now, retryAt: null, tries: 0 });
      }),
    postpone: ({ due }, { retryAt, now }) =>
      step(() => {
        const known = store.rows.get(due);
        if (known?.state === 'pending') store.rows.set(due, { ...known, at: now, retryAt });
      }),
  };
}

interface Run {
  /** What the clock of the process shows. */
  now: number;
  /** Chance to be killed at each statement. */
  danger: number;
}

function simulate(seed: number) {
  const random = randomFrom(seed);
  const store = new Rows();
  const known = new Map<string, number>();
  const note = (what: string) => known.set(what, (known.get(what) ?? 0) + 1);

  async function run({ now, danger }: Run): Promise<void> {
    note('runs');
    let isDead = false;
    const fate = () => {
      if (!isDead && random() < danger) {
        isDead = true;
        note('kills');
      }
      if (isDead) throw new Killed();
    };
    const recipient: Due = {
      recipient: 1,
      report: 1,
      project: 1,
      schedule,
      timeZone: ZONE,
      since: START,
      lastDue: store.lastDue,
    };
    const parts: SendDueParts<number[], Due> = {
      clock: { now: () => now },
      log: { warn: () => undefined },
      ledger: ledgerOf(store, fate),
      async compose(_, due) {
        fate();
        // Sometimes it cannot be computed.
        if (danger > 0 && random() < 0.1) throw new Error('the database is away');
        return {
          tokenHash: '',
          write: async (queued) => {
            fate();
            queued.push(due);
            fate();
            return 'mail';
          },
        };
      },
      onGone: async () => undefined,
    };
    await sendDue(parts, [recipient]);
  }
  return { store, known, random, note, run };
}

it('sends each due time once over 10,000 restarts and clock jumps, and misses none', async () => {
  const { store, known, random, note, run } = simulate(20_261_126);
  const outages = new Set<number>();
  const days = 1_800;
  for (let day = 0; day < days; day += 1) {
    const [due] = dueTimes(schedule, ZONE, { since: START + day * DAY, now: START + (day + 1) * DAY });
    if (due === undefined) throw new Error('each day has a due time');
    const isOutage = random() < 0.05;
    if (isOutage) outages.add(due);
    // Killed and with clocks that jump, at any time of the day.
    for (let n = 0; n < 6; n += 1) {
      const truth = START + day * DAY + random() * DAY;
      if (isOutage && truth >= due) continue;
      const jump = random() < 0.5 ? 0 : (random() - 0.4) * 80 * DAY;
      if (jump !== 0) note('jumps');
      const danger = random() < 0.8 ? 0.25 : 0;
      // Two processes at the same time.
      await Promise.all([run({ now: truth, danger }), run({ now: truth + jump, danger })]);
    }
    // Then all is well again, in time unless there is an outage.
    const after = isOutage ? due + MAX_DELAY_MS.daily + HOUR : due + 9 * HOUR;
    await run({ now: after, danger: 0 });
    await run({ now: after + 70 * 60_000, danger: 0 });
    await run({ now: after + 140 * 60_000, danger: 0 });
  }
  const restarts = (known.get('kills') ?? 0) + (known.get('jumps') ?? 0);
  expect(restarts).toBeGreaterThan(10_000);
  const sent = new Map<number, number>();
  for (const due of store.mails) sent.set(due, (sent.get(due) ?? 0) + 1);
  const doubles = [...sent].filter(([, count]) => count > 1);
  const all = Array.from({ length: days }, (_, day) =>
    dueTimes(schedule, ZONE, { since: START + day * DAY, now: START + (day + 1) * DAY }),
  ).flat();
  const missing = all.filter(
    (due) => !sent.has(due) && !(outages.has(due) && store.rows.get(due)?.state === 'skipped'),
  );
  expect({ doubles, missing }).toEqual({ doubles: [], missing: [] });
  expect([...outages].some((due) => store.rows.get(due)?.state === 'skipped')).toBe(true);
});

it('gives up after eight tries, and says so', async () => {
  const store = new Rows();
  const due = dueTimes(schedule, ZONE, { since: START, now: START + DAY })[0] as number;
  let now = due;
  for (let n = 0; n < 20; n += 1) {
    await sendDue<number[], Due>(
      {
        clock: { now: () => now },
        log: { warn: () => undefined },
        ledger: { ...ledgerOf(store, () => undefined) },
        compose: async () => {
          throw new Error('never works');
        },
        onGone: async () => undefined,
      },
      [{ recipient: 1, report: 1, project: 1, schedule, timeZone: ZONE, since: START, lastDue: store.lastDue }],
    );
    now += 61 * 60_000;
    if (now > due + MAX_DELAY_MS.daily) break;
  }
  expect(store.rows.get(due)).toMatchObject({ state: 'failed' });
  expect(store.mails).toEqual([]);
});
