/** Two processes that are killed anywhere, and clocks that jump: each interval of an alert is evaluated once, and each change of it is told once. */
import { type AlertProject, type EvaluateParts, evaluateDue } from '#src/alerts/evaluate.ts';
import { type Ledger, stateOf } from '#src/alerts/ledger.ts';
import type { AlertRow } from '#src/alerts/queries.ts';
import { lastFinished } from '#src/alerts/schedule.ts';
import { zoneOf } from '#src/kit/zone.ts';

const HOUR = 3_600_000;
const START = Date.parse('2026-01-05T00:00:00Z');
const HOURS = 1_800;
/** Hours until all is well again. */
const ROUND = 3;
const project = { id: 1, name: 'Shop', timeZone: 'UTC', weekStart: 1, teamId: 1 } as unknown as AlertProject;
const calendar = { zone: zoneOf('UTC'), weekStart: 1 as const };

/** The same in every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

class Killed extends Error {}

interface Run {
  /** What the clock of the database shows. */
  time: number;
  /** Of the clock of the process. */
  jump: number;
  /** Chance to be killed at each statement. */
  danger: number;
  /** Sometimes numbers cannot be asked for. */
  fails: boolean;
}

interface Row {
  outcome: 'pending' | 'done' | 'failed';
  tries: number;
  retryAt: number | null;
}

/** A database: what a transaction wrote is there as a whole, or not at all. */
class Store {
  alert: AlertRow = {
    ...{ id: 1, project_id: 1, created_by: 1, author: null, language: 'en', name: 'Dropped', revision: 1 },
    ...{ subject: { kind: 'ingestion', of: 'dropped' }, interval: 'hour', condition: { kind: 'above', value: 5 } },
    ...{ active: true, since: START, state: 'ok', state_at: START, notified_at: null, acknowledged_name: null },
    ...{ snoozed_until: null, last_from: null, last_to: null, last_value: null, last_expected: null },
    ...{ problem: null, changed_at: START },
  };
  readonly rows = new Map<number, Row>();
  readonly settled: number[] = [];
  readonly told: { notice: string; from: number }[] = [];
  /** Rows are locked until then. */
  lock: Promise<unknown> = Promise.resolve();
}

type Message = Store['told'][number];

/** A process over this database. `fate` may kill it before and after each statement. */
function ledgerOf(store: Store, time: number, fate: () => void): Ledger<Message[]> {
  async function step<Value>(run: () => Value): Promise<Value> {
    fate();
    const value = run();
    fate();
    return value;
  }
  return {
    databaseTime: () => step(() => time),
    active: () => step(() => [{ ...store.alert }]),
    doneStarts: () => step(() => new Set([...store.rows].flatMap(([from, row]) => (isOver(row) ? [from] : [])))),
    claim: (_, { from }, { now, lease }) =>
      step(() => {
        const known = store.rows.get(from);
        const retryAt = known?.retryAt ?? 0;
        if (known && (isOver(known) || (retryAt > now && retryAt <= now + 2 * HOUR))) return null;
        const tries = (known?.tries ?? 0) + 1;
        store.rows.set(from, { outcome: 'pending', tries, retryAt: lease });
        return tries;
      }),
    async settle(_, { span, judged, tries }, { advance, tell }) {
      const settling = store.lock.then(async () => {
        fate();
        const row = store.rows.get(span.from);
        if (row === undefined || isOver(row) || row.tries !== tries) return;
        const { after, notice } = advance(stateOf(store.alert));
        const written: Message[] = [];
        if (notice !== null) await tell(written, store.alert, notice);
        // Killed before the commit, nothing of it is there.
        fate();
        store.rows.set(span.from, { outcome: 'done', tries, retryAt: null });
        store.alert = {
          ...store.alert,
          ...{ state: after.state, state_at: after.stateAt, notified_at: after.notifiedAt, last_from: span.from },
          last_value: judged.value,
        };
        store.settled.push(span.from);
        store.told.push(...written);
        fate();
      });
      store.lock = settling.catch(() => undefined);
      await settling;
    },
    giveBack: async () => undefined,
    noteFailure: (_, { from }, { retryAt }) =>
      step(() => {
        const known = store.rows.get(from);
        if (known?.outcome !== 'pending') return;
        store.rows.set(from, { ...known, outcome: retryAt === null ? 'failed' : 'pending', retryAt });
      }),
    noteProblem: () => step(() => undefined),
  };
}

const isOver = ({ outcome }: Row) => outcome !== 'pending';

it('evaluates each interval once over 10,000 restarts and clock jumps, misses none, and tells each change once', async () => {
  const random = randomFrom(20_261_127);
  const store = new Store();
  const known = { kills: 0, jumps: 0, failures: 0 };
  /** Dropped events of each hour: it fires for some hours, then it does not. */
  const dropped: number[] = [];
  for (let hour = 0; hour < HOURS; hour++)
    dropped.push((dropped.at(-1) ?? 0) > 5 === random() < 0.8 ? 10 + Math.floor(random() * 9) : 0);

  async function run({ time, jump, danger, fails }: Run): Promise<void> {
    let isDead = false;
    const fate = () => {
      if (!isDead && random() < danger) {
        isDead = true;
        known.kills += 1;
      }
      if (isDead) throw new Killed();
    };
    const parts: EvaluateParts<Message[]> = {
      clock: { now: () => time + jump },
      log: { warn: () => undefined },
      ledger: ledgerOf(store, time, fate),
      subjectName: async () => null,
      insights: {
        async minutes(_: number, since: number) {
          fate();
          if (fails && random() < 0.1) {
            known.failures += 1;
            throw new Error('the database is away');
          }
          return dropped
            .map((events, hour) => ({ at: START + hour * HOUR, outcomes: { invalid: events } }))
            .filter(({ at }) => at >= since && at <= time);
        },
      } as unknown as EvaluateParts<Message[]>['insights'],
      async notify(written, _, { notice, span }) {
        fate();
        written.push({ notice, from: span.from });
      },
    };
    await evaluateDue(parts, async () => project).catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error;
    });
  }

  const wrong: object[] = [];
  for (let hour = 1; hour < HOURS; hour += ROUND) {
    const at = (hours: number) => START + (hour + hours) * HOUR;
    // Killed and with clocks that jump, at any time of two hours.
    const times = Array.from({ length: 20 }, () => at(random() * 1.6)).sort((one, other) => one - other);
    for (const [n, time] of times.entries()) {
      const jump = random() < 0.5 ? 0 : (random() - 0.5) * 80 * 24 * HOUR;
      if (jump !== 0) known.jumps += 1;
      const now = { time, danger: random() < 0.8 ? 0.05 : 0, fails: n < 4 };
      // Two processes at the same time.
      await Promise.all([run({ ...now, jump: 0 }), run({ ...now, jump })]);
    }
    // Then all is well again.
    const end = at(2.8);
    await run({ time: end, jump: 0, danger: 0, fails: false });
    const { from } = lastFinished(store.alert, end, calendar);
    const fires = (dropped[(from - START) / HOUR] ?? 0) > 5;
    const isFiring = store.alert.state === 'firing';
    const isTold = ['fired', 'reminder'].includes(store.told.at(-1)?.notice ?? '');
    if (fires !== isFiring || fires !== isTold) wrong.push({ hour, fires, isFiring, isTold });
  }
  expect(wrong).toEqual([]);
  expect(known.kills + known.jumps).toBeGreaterThan(10_000);
  expect(known.failures).toBeGreaterThan(50);

  const evaluated = new Map<number, number>();
  for (const from of store.settled) evaluated.set(from, (evaluated.get(from) ?? 0) + 1);
  const all = Array.from({ length: HOURS - ROUND }, (_, hour) => START + hour * HOUR);
  expect(all.filter((from) => evaluated.get(from) !== 1)).toEqual([]);
  const changes = store.told.filter(({ notice }) => notice !== 'reminder').map(({ notice }) => notice);
  expect(changes.filter((notice, at) => notice !== (at % 2 === 0 ? 'fired' : 'resolved'))).toEqual([]);
  expect(changes.length).toBeGreaterThan(100);
  expect(new Set(store.told.map(({ notice, from }) => `${notice} ${from}`)).size).toBe(store.told.length);
});
