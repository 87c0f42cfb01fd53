/**
 * The stored event. Owner of `events`, `event_uuids`, `event_names`, `property_names`, `property_groups`, `group_looks`, `group_names`, `sessions`,
 * `event_counts`, `new_exceptions` and `ingest_epochs`. One batch is one transaction: everything that follows from an event is committed with it.
 */
import { dayMs } from '#src/kit/zone.ts';
import { type Persons, personsChannel } from '#src/persons/persons.ts';
import type { Projects } from '#src/projects/projects.ts';
import { BeginAgainError, connectDirect, openDirect, transactionSettings } from '#src/store/db.ts';
import type { Deps } from '#src/store/deps.ts';
import { createNumbers } from '#src/store/numbers.ts';
import { append, type BeforeCommit, eventsChannel } from './append.ts';
import type { FinishedEvent, StoredBatch } from './contract.ts';
import { createDefinitions } from './definitions.ts';
import { createDictionary } from './dictionary.ts';
import { closeMonths, type DroppedEvents } from './dropped.ts';
import { forgetGroups } from './erasure.ts';
import { exceptionsChannel } from './exceptions.ts';
import { storeHeatmapPoints } from './heatmap-points.ts';
import { CopiesInBatchError, ledgerWeeks } from './ledger.ts';
import { type Notices, startListener } from './listener.ts';
import { createOutsideNotes } from './outside.ts';
import { createPartitions, monthOf, weekOf } from './partitions.ts';
import { type Retired, type RetireOptions, retire } from './retention.ts';

export type { Retired, RetireOptions } from './retention.ts';
export type { Notices };

export interface Events {
  /**
   * Stores a batch (at most some 1,000 events) in one transaction on a connection of `deps.write` and resolves after its
   * commit. Nothing of a failed batch is stored. Two calls may run at the same time; more wait for a connection.
   *
   * @param beforeCommit run last inside the transaction, again when the transaction has to be begun again; its failure fails the batch
   * @throws an error for which `isDataError` (store/db.ts) holds when some event cannot be stored: halve the batch. After any
   *   other error nothing is known about the outcome; keep the batch and store it again later (the ledger makes that safe)
   */
  store(batch: readonly FinishedEvent[], beforeCommit?: BeforeCommit): Promise<StoredBatch>;
  /** Stores the points of heatmaps of a batch, in a separate statement; points that are stored already are skipped. @throws as `store` */
  storeHeatmap(batch: readonly FinishedEvent[]): Promise<void>;
  /** Recurring work, daily and at start: partitions of the next months and weeks, old weeks of the uuid ledger dropped. */
  maintain(): Promise<void>;
  /** Recurring work, daily: deletes what is older than its project keeps. Gives what each project with a retention lost. */
  retire(options?: RetireOptions): Promise<Retired[]>;
  /** The process's LISTEN, for others of this room. */
  readonly notices: Notices;
  /** Stops the LISTEN. */
  stop(): Promise<void>;
}

/** A transaction is begun again this often at most. */
const MAX_TRIES = 20;
/** Copies come in storms (clients that send again after an outage): the next batches are expected to hold some too. */
const CAREFUL_BATCHES = 20;

export function createEvents(
  deps: Pick<Deps, 'config' | 'write' | 'clock' | 'log'>,
  parts: {
    persons: Persons;
    projects: Pick<Projects, 'noteOutsideEvent' | 'get' | 'list'>;
    /** What dropped events refer to. */
    dropped?: Pick<DroppedEvents, 'groupsNamed'>;
    /** Channels of other rooms that the one LISTEN of the process hears too. */
    channels?: readonly string[];
  },
): Events {
  const { write, clock, config, log } = deps;
  const { persons, projects, channels = [], dropped = { groupsNamed: async () => [] } } = parts;
  const dictionary = createDictionary(write, createNumbers(write));
  const definitions = createDefinitions(write);
  const partitions = createPartitions(write);
  const noteOutside = createOutsideNotes(config.PUBLIC_APP_URL, projects, write);
  const heard = [...channels, personsChannel, eventsChannel, exceptionsChannel];
  const listener = startListener({ open: () => openDirect(config), channels: heard, log });
  listener.subscribe(personsChannel, {
    onMessage: (notice) => (notice === forgetGroups ? dictionary.forgetGroups() : persons.receive(notice)),
    onChange: () => {
      persons.forgetAll();
      dictionary.forgetGroups();
    },
  });
  const settings = transactionSettings(config);
  let carefulBatches = 0;

  async function storeOnce(
    events: readonly FinishedEvent[],
    beforeCommit: BeforeCommit | undefined,
  ): Promise<StoredBatch> {
    const now = clock.now();
    await partitions.ensure(monthsOf(events), ledgerWeeks(now), now);
    const coded = await dictionary.code(events);
    await definitions.note(events);
    const prepared = await persons.prepare(events);
    const careful = carefulBatches > 0;
    if (careful) carefulBatches--;
    try {
      return await append(write, persons, { events, coded, persons: prepared, now, settings, careful, beforeCommit });
    } finally {
      prepared.release();
    }
  }

  return {
    notices: listener,
    async store(batch, beforeCommit) {
      if (batch.length === 0) return { outcomes: [], warnings: [] };
      for (let tries = 1; ; tries++) {
        try {
          const stored = await storeOnce(batch, beforeCommit);
          await noteOutside(batch).catch((error: unknown) =>
            log.warn({ err: error }, 'failed to record the first external event'),
          );
          return stored;
        } catch (error) {
          if (!(error instanceof BeginAgainError) || tries >= MAX_TRIES) throw error;
          if (error instanceof CopiesInBatchError) carefulBatches = CAREFUL_BATCHES;
        }
      }
    },
    storeHeatmap: (batch) => storeHeatmapPoints(write, batch),
    async maintain() {
      const now = clock.now();
      await partitions.ensureAhead(now);
      await closeMonths(write);
      await partitions.ensure([], ledgerWeeks(now), now);
      await partitions.dropWeeksBefore(weekOf(now) - 1);
    },
    async retire(options) {
      const client = await connectDirect(config, ({ message }) =>
        log.warn({ reason: message }, 'retention connection failed'),
      );
      try {
        return await retire({ client, projects, partitions, dropped, now: clock.now() }, options);
      } finally {
        await client.end();
      }
    },
    stop: () => listener.stop(),
  };
}

function monthsOf(batch: readonly FinishedEvent[]): Set<number> {
  const months = new Set<number>();
  let lastDay = Number.NaN;
  for (const { ts } of batch) {
    const day = Math.floor(ts / dayMs);
    if (day === lastDay) continue;
    lastDay = day;
    months.add(monthOf(ts));
  }
  return months;
}
