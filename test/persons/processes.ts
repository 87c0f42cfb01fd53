/**
 * Several processes that change persons: simulated ones, each with its own pool and cache, and real ones that run the whole collector. And what the
 * database holds in the end.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { FinishedEvent, IngestWarning } from '#src/events/contract.ts';
import type { JsonObject } from '#src/kit/json.ts';
import { createPersons, type Persons, type Resolved } from '#src/persons/persons.ts';
import { BeginAgainError } from '#src/store/db.ts';
import { inMessages } from '#src/store/message.ts';
import type { TestDatabase } from '#test/kit/database.ts';
import { testDeps } from '#test/kit/deps.ts';

export interface Process {
  persons: Persons;
  /** One write transaction, begun again as often as needed. Notices do not arrive unless a test passes them on. */
  resolve(batch: FinishedEvent[]): Promise<Resolved>;
  close(): Promise<void>;
}

export function startProcess(database: TestDatabase): Process {
  const deps = testDeps(database.url);
  const persons = createPersons(deps);

  async function attempt(batch: FinishedEvent[]): Promise<Resolved> {
    const prepared = await persons.prepare(batch);
    const client = await deps.write.connect();
    try {
      await client.query('begin');
      const resolved = await persons.resolve(inMessages(client), batch, prepared);
      await client.query('commit');
      resolved.committed();
      return resolved;
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
      prepared.release();
    }
  }

  return {
    persons,
    async resolve(batch) {
      for (;;) {
        try {
          return await attempt(batch);
        } catch (error) {
          if (!(error instanceof BeginAgainError)) throw error;
        }
      }
    },
    close: () => deps.close(),
  };
}

/** The collector in a process of its own, with caches, connections and notices of its own. */
export interface CollectorProcess {
  /** Sends them in one request. @throws unless they were taken */
  send(token: string, batch: readonly FinishedEvent[]): Promise<void>;
  close(): Promise<void>;
}

export async function startCollectorProcess(database: TestDatabase): Promise<CollectorProcess> {
  const child = spawn(process.execPath, ['--no-warnings', join(__dirname, 'collector-process.ts'), database.url], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const [url] = await Promise.race([once(lines, 'line'), ended]);
  if (typeof url !== 'string') throw new Error('a collector could not be started');
  return {
    async send(token, batch) {
      const body = JSON.stringify({ api_key: token, batch: batch.map(rawOf) });
      const { status } = await fetch(`${url}/ingest/batch/`, { method: 'POST', body });
      if (status !== 200) throw new Error(`answered ${status}`);
    },
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}

/** What a client would have sent. */
function rawOf({ uuid, event, distinctId, ts, groups, person }: FinishedEvent): JsonObject {
  const { process, set, setOnce, unset, merge } = person;
  const properties: JsonObject = { ...groups.device, ...groups.page };
  if (!process) properties['$process_person_profile'] = false;
  if (merge !== null) properties[merge.kind === 'identify' ? '$anon_distinct_id' : 'alias'] = merge.otherDistinctId;
  const changes = { $set: set, $set_once: setOnce, $unset: unset };
  return {
    uuid,
    event,
    distinct_id: distinctId,
    timestamp: new Date(ts).toISOString(),
    properties,
    ...(process ? changes : {}),
  };
}

export interface StoredPerson {
  ids: string[];
  properties: Record<string, unknown>;
  identified: boolean;
  hasProfile: boolean;
  createdAt: number;
}

/** All persons of a project by their ids, numbers left out: they depend on the order of arrival. */
export async function readPersons(database: TestDatabase, projectId = 1): Promise<StoredPerson[]> {
  const rows = await database.query<{
    ids: string[];
    properties: Record<string, unknown>;
    identified: boolean;
    has_profile: boolean;
    created_at: Date;
  }>(
    `select array_agg(d.distinct_id order by d.distinct_id collate "C") as ids, p.properties, p.identified, p.has_profile, p.created_at
       from persons p
       left join distinct_ids d on d.project_id = p.project_id and d.person = p.number
      where p.project_id = $1 and not p.merged
      group by p.project_id, p.number
      order by 1`,
    [projectId],
  );
  return rows.map(({ ids, properties, identified, has_profile, created_at }) => {
    const { $creator_event_uuid: _, ...own } = properties;
    return { ids, properties: own, identified, hasProfile: has_profile, createdAt: created_at.getTime() };
  });
}

/** The person that each number leads to today. */
export async function survivors(database: TestDatabase, projectId: number, numbers: number[]): Promise<number[]> {
  const rows = await database.query<{ person: number }>(
    `select coalesce(o.new_person, n) as person
       from unnest($2::int[]) with ordinality as asked (n, ord)
       left join person_overrides o on o.project_id = $1 and o.old_person = n
      order by ord`,
    [projectId, numbers],
  );
  return rows.map(({ person }) => person);
}

/** Invariants; each query must find nothing. */
export async function brokenRules(database: TestDatabase): Promise<string[]> {
  const rules: Record<string, string> = {
    'an id belongs to a person that is no more': `select from distinct_ids d where not exists
       (select from persons p where p.project_id = d.project_id and p.number = d.person and not p.merged)`,
    'a person has no id': `select from persons p where not merged and not exists
       (select from distinct_ids d where d.project_id = p.project_id and d.person = p.number)`,
    'an override leads to a person that is no more': `select from person_overrides o where not exists
       (select from persons p where p.project_id = o.project_id and p.number = o.new_person and not p.merged)`,
    'a merged person has no override': `select from persons p where merged and not exists
       (select from person_overrides o where o.project_id = p.project_id and o.old_person = p.number)`,
    'a person was written, and who wrote it did not note that': `select from persons p where not exists
       (select from person_changes c
         where c.project_id = p.project_id and p.number = any(c.numbers) and c.xact::xid = p.xmin)`,
  };
  const broken: string[] = [];
  for (const [rule, text] of Object.entries(rules)) {
    if ((await database.query(text)).length > 0) broken.push(rule);
  }
  return broken;
}

export function reasons(warnings: IngestWarning[]): string[] {
  return warnings.map(({ reason }) => reason).sort();
}
