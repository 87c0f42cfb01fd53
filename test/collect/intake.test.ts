import { createIntake, type IntakeParts } from '#src/collect/intake.ts';
import type { Note } from '#src/collect/notes.ts';
import type { Spool, UnroutedRecord } from '#src/collect/spool.ts';
import type { FinishedEvent } from '#src/events/contract.ts';
import { unavailable } from '#src/kit/errors.ts';
import { createLog } from '#src/kit/log.ts';
import type { Project } from '#src/projects/projects.ts';
import { NOW, testContext } from './context.ts';
import { testProject } from './server.ts';

const sender = {
  receivedAt: NOW,
  address: '177.32.5.9',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
  origin: 'https://loja.example',
  asksNotToTrack: false,
  unclean: false,
  length: 100,
  maxEventLength: 1_000,
};
const uuid = '0193abcd-1234-7000-8000-000000000001';
const batchOf = (...events: object[]) => ({
  token: 'lnt_shop',
  events: events as never[],
  sentAt: null,
  historical: false,
});

function make(project: Project | null = testProject()) {
  const kept: UnroutedRecord[] = [];
  const stored: FinishedEvent[] = [];
  const notes: Note[] = [];
  const counted = new Set<string>();
  const state = { away: false };
  const parts: IntakeParts = {
    projects: {
      known: () => undefined,
      byToken: async () => {
        if (state.away) throw unavailable('away');
        return project;
      },
    },
    writer: {
      write: async (events: FinishedEvent[], own: Note[] = []) => {
        stored.push(...events);
        notes.push(...own);
        return events.map(({ uuid: of }) => (of === uuid ? 'duplicate' : 'stored'));
      },
    } as unknown as IntakeParts['writer'],
    cookieless: { salts: async () => new Map(), assignVisits: async () => {}, destroyOld: async () => {} },
    lookups: testContext().lookups,
    countOnce: async (sets) => {
      for (const { id, notes: own } of sets) {
        if (!counted.has(id)) notes.push(...own);
        counted.add(id);
      }
    },
    spool: { durable: true, append: async (record: UnroutedRecord) => void kept.push(record) } as unknown as Spool,
    log: createLog('silent'),
  };
  return { intake: createIntake(parts), kept, stored, notes, state };
}

it('says of every event what became of it, in order', async () => {
  const { intake } = make();
  const results = await intake.take(
    batchOf({ event: 'a', distinct_id: 'd' }, { event: '', uuid: 'x' }, { event: 'b', distinct_id: 'd', uuid }),
    sender,
  );
  expect(results.map(({ outcome }) => outcome)).toEqual(['stored', 'no_name', 'duplicate']);
  expect(results[2]?.uuid).toBe(uuid);
  expect(intake.counts()).toEqual({ received: 3, dropped: { no_name: 1 } });
});

it('gives no example that says who a visitor without storage is', async () => {
  const { intake, notes } = make();
  const properties = { $cookieless_mode: true, $user_id: 'ana@loja.example' };
  const said = { distinct_id: 'ana@loja.example', timestamp: 'soon', properties };
  await intake.take(batchOf({ event: '$identify', ...said }, { event: '', ...said }, { event: 'a', ...said }), sender);
  expect(notes.map(({ reason }) => reason).sort()).toEqual([
    ...['bad_time', 'cookieless_identity', 'cookieless_late', 'no_name'],
  ]);
  expect(JSON.stringify(notes)).not.toContain('ana@');
});

it('lets others have a turn while it works on a large request', async () => {
  const { intake } = make();
  let turns = 0;
  const ticking = setInterval(() => turns++, 0);
  await intake.take(batchOf(...Array.from({ length: 5_000 }, () => ({ event: 'a', distinct_id: 'd' }))), sender);
  clearInterval(ticking);
  expect(turns).toBeGreaterThan(3);
});

it('writes the client’s own notice as a warning', async () => {
  const { intake, notes, stored } = make();
  const properties = { $$client_ingestion_warning_message: 'relógio parado' };
  await intake.take(batchOf({ event: '$$client_ingestion_warning', distinct_id: 'd', properties }), sender);
  expect(stored).toHaveLength(0);
  expect(notes).toMatchObject([{ reason: 'client_notice', sample: { detail: 'relógio parado' } }]);
});

describe('events that came while the database was away', () => {
  const come = async (project: Project | null, raw: object = {}, request: Partial<typeof sender> = {}) => {
    const made = make(project);
    made.state.away = true;
    await made.intake.take(batchOf({ event: 'a', distinct_id: 'd', uuid, ...raw }), { ...sender, ...request });
    made.state.away = false;
    const [record] = made.kept;
    // What a spool does to a record.
    const read = JSON.parse(JSON.stringify(record)) as UnroutedRecord;
    return { ...made, record: read, finished: await made.intake.finishKept(read) };
  };

  it('are given to their project', async () => {
    const { finished, record } = await come(testProject());
    expect(finished).toMatchObject([{ projectId: 7, uuid, event: 'a', receivedAt: NOW }]);
    expect(record).toMatchObject({ token: 'lnt_shop', receivedAt: NOW, uuids: [uuid] });
    expect(JSON.stringify(record)).not.toContain('177.32');
  });

  it('are dropped when there is no such project after all', async () => {
    const { finished, intake } = await come(null);
    expect(finished).toEqual([]);
    expect(intake.counts().dropped).toEqual({ unknown_token: 1 });
  });

  it('are dropped by the project’s own rules, with a note', async () => {
    const foreign = await come(testProject({ allowedOrigins: ['https://outra.example'] }));
    expect([foreign.finished, foreign.notes.map(({ reason }) => reason)]).toEqual([[], ['origin']]);
    const old = await come(testProject({ retentionDays: 30 }), { timestamp: '2020-01-01T00:00:00Z' });
    expect([old.finished, old.notes.map(({ reason }) => reason)]).toEqual([[], ['late', 'expired']]);
    const asking = await come(testProject({ respectDnt: true }), {}, { asksNotToTrack: true });
    expect([asking.finished, asking.notes.map(({ reason }) => reason)]).toEqual([[], ['do_not_track']]);
    const bot = { userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1)' };
    const program = await come(testProject({ bots: 'dropped' }), {}, bot);
    expect([program.finished, program.notes.map(({ reason }) => reason)]).toEqual([[], ['bot']]);
    expect((await come(testProject({ internalIds: ['d'] }))).finished).toMatchObject([{ marks: 65 }]);
    const returned = { properties: { $lib: 'web', $host: 'loja.example', $referrer: 'https://checkout.pay.example/' } };
    for (const [ignoredReferrers, domain, channel] of [
      [[], 'checkout.pay.example', 'Referral'],
      [['pay.example'], '$direct', 'Direct'],
    ] as const) {
      const { finished } = await come(testProject({ ignoredReferrers: [...ignoredReferrers] }), returned);
      const source = { $session_entry_referring_domain: domain, $channel_type: channel };
      expect(finished).toMatchObject([{ groups: { source } }]);
    }
  });

  it('are not forgotten when they were dropped at once: they count for their project, once', async () => {
    const made = make(testProject());
    made.state.away = true;
    const nameless = { event: '', distinct_id: 'd' };
    await made.intake.take(batchOf({ event: 'a', distinct_id: 'd', uuid }, nameless), sender);
    expect(await made.intake.take(batchOf(nameless, nameless), sender)).toHaveLength(2);
    made.state.away = false;
    for (let reads = 0; reads < 2; reads++) {
      for (const record of made.kept)
        await made.intake.finishKept(JSON.parse(JSON.stringify(record)) as UnroutedRecord);
    }
    expect(made.kept.map(({ uuids }) => uuids.length)).toEqual([1, 0]);
    expect(made.notes).toMatchObject([
      { projectId: 7, reason: 'no_name', isDrop: true, times: 1 },
      { projectId: 7, reason: 'no_name', isDrop: true, times: 2 },
    ]);
  });

  it('wait on while it is still away', async () => {
    const { intake, record, state } = await come(testProject());
    state.away = true;
    await expect(intake.finishKept(record)).rejects.toMatchObject({ code: 'unavailable' });
  });
});
