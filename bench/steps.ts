/**
 * What one event costs between the socket and the writer, in CPU time: decoding (inflate, JSON) and the steps. No network, no
 * database: `node_modules/.bin/node bench/steps.ts [batches]`.
 */
import { gunzipSync, gzipSync } from 'node:zlib';
import { decode } from '#src/collect/decode.ts';
import { openEnvelope } from '#src/collect/envelope.ts';
import { createLookups } from '#src/collect/lookups.ts';
import type { StepContext } from '#src/collect/steps/draft.ts';
import { createGroupCache } from '#src/collect/steps/group-cache.ts';
import { runSteps } from '#src/collect/steps.ts';
import { projectSettings } from '#src/projects/contract.ts';
import { browserEvents } from './browser-events.ts';

/** Of this thread: the figures hold on a busy machine too. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

const BATCH = 100;
const batches = Number(process.argv[2] ?? 300);
const now = Date.UTC(2026, 10, 20, 12);
const bodies = Array.from({ length: batches }, (_, index) =>
  gzipSync(
    JSON.stringify({
      api_key: 'lnt_bench',
      sent_at: new Date(now).toISOString(),
      batch: browserEvents(index * BATCH, BATCH, now),
    }),
    {
      level: 6,
    },
  ),
);
const jsonBytes = gunzipSync(bodies[0] as Buffer).length / BATCH;
console.log(
  `${batches} batches of ${BATCH}: ${jsonBytes.toFixed(0)} B of JSON and ${((bodies[0] as Buffer).length / BATCH).toFixed(0)} B of gzip an event`,
);

const lookups = await createLookups();
const context: StepContext = {
  project: {
    id: 1,
    timeZone: 'America/Sao_Paulo',
    settings: projectSettings.parse({}),
    closedUntil: null,
  },
  facts: {
    receivedAt: now,
    token: 'lnt_bench',
    sentAt: now,
    address: '177.32.1.1',
    userAgent: 'Mozilla/5.0',
    origin: null,
    historical: false,
    unclean: false,
    maxEventLength: 1024 * 1024,
    small: true,
  },
  lookups,
  cache: createGroupCache(),
  salts: new Map(),
  earlier: null,
  warn: () => {},
};

for (let round = 1; round <= 4; round++) {
  let [inflateMs, parseMs, stepsMs, decodeMs, dropped, newGroups] = [0, 0, 0, 0, 0, 0];
  const seen = new WeakSet<object>();
  for (const body of bodies) {
    let from = cpuMs();
    const text = gunzipSync(body, { chunkSize: 256 * 1024 }).toString('utf8');
    inflateMs += cpuMs() - from;
    from = cpuMs();
    JSON.parse(text);
    parseMs += cpuMs() - from;
    from = cpuMs();
    const { value } = await decode({ body });
    decodeMs += cpuMs() - from;
    from = cpuMs();
    for (const raw of openEnvelope(value, {}).events) {
      const event = runSteps(raw, context);
      if ('drop' in event) {
        dropped++;
        continue;
      }
      for (const group of Object.values(event.groups)) {
        if (seen.has(group)) continue;
        seen.add(group);
        newGroups++;
      }
    }
    stepsMs += cpuMs() - from;
  }
  const events = batches * BATCH;
  const us = (ms: number) => ((ms * 1000) / events).toFixed(2);
  console.log(
    `round ${round}: decode ${us(decodeMs)} µs/event (inflate ${us(inflateMs)}, parse ${us(parseMs)}), steps ${us(stepsMs)}; ` +
      `dropped ${dropped}, group objects per event ${(newGroups / events).toFixed(3)}`,
  );
}
