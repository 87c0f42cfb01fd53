/** Too much, and for long. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ours } from '../kit/children.ts';
import { check, countsOf, nothingLost, percentile, type Row, share, time } from '../kit/row.ts';
import { type Scene, TOKEN } from '../kit/scene.ts';
import type { Server } from '../kit/server.ts';

/** One spell of `kit/pusher.ts`. */
interface Spell {
  seconds: number;
  acceptedPerSecond: number;
  offeredPerSecond: number;
  statuses: Record<string, number>;
}

export const r16: Row = {
  id: 'R16',
  title: 'overload: five times the measured capacity',
  async run(stage) {
    const scene = await stage.open();
    const server = scene.server();
    await server.ready();
    const [measureS, overloadS] = stage.pace === 'full' ? [15, 60] : [4, 6];
    const capacity = await push(scene, server, { seconds: measureS, connections: 16, rate: 0 });
    const over = await push(scene, server, {
      seconds: overloadS,
      connections: 2000,
      rate: capacity.acceptedPerSecond * 5,
    });
    const endedAt = performance.now();
    let recoveredMs = Number.POSITIVE_INFINITY;
    while (performance.now() - endedAt < 15_000) {
      const since = performance.now();
      const body = JSON.stringify({ api_key: TOKEN, event: 'after', distinct_id: 'x' });
      const { status } = await fetch(`${server.url}/ingest/e/`, { method: 'POST', body });
      if (status === 200 && performance.now() - since < 250) {
        recoveredMs = performance.now() - endedAt;
        break;
      }
      await sleep(100);
    }
    await scene.caughtUp(30_000);
    const verdict = await scene.verdict();
    const others = Object.keys(over.statuses).filter((status) => status !== '200' && status !== '503');
    const goodput = over.acceptedPerSecond / capacity.acceptedPerSecond;
    return {
      figures: [
        countsOf(verdict),
        `capacity ${capacity.acceptedPerSecond.toFixed(0)} events/s with this sender; offered ${over.offeredPerSecond.toFixed(0)} for ${overloadS} s: accepted ${over.acceptedPerSecond.toFixed(0)} events/s (${(goodput * 100).toFixed(0)} %), answers ${JSON.stringify(over.statuses)}; recovered after ${recoveredMs.toFixed(0)} ms`,
      ],
      checks: [
        ...nothingLost(verdict),
        check('goodput at least 80 % of the capacity', goodput >= 0.8, `${(goodput * 100).toFixed(0)} %`),
        check('the rest is answered 503', others.length === 0),
        check('recovers within 5 s', recoveredMs <= 5000, time(recoveredMs)),
        check('no restart', !server.hasEnded),
      ],
    };
  },
};

interface Push {
  seconds: number;
  connections: number;
  /** Events per second offered; 0: as many as are accepted (a closed loop). */
  rate: number;
}

async function push(scene: Scene, server: Server, options: Push): Promise<Spell> {
  const script = fileURLToPath(new URL('../kit/pusher.ts', import.meta.url));
  const given = { ...options, url: server.url, token: TOKEN, folder: scene.folder };
  const child = ours(
    spawn(process.execPath, [script, JSON.stringify(given)], { stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream }))
    return JSON.parse(line) as Spell;
  throw new Error('the sender of the overload ended without a result');
}

export const r22: Row = {
  id: 'R22',
  title: 'soak: 200 events/s for 10 min after 10 min of warm-up',
  async run(stage) {
    const scene = await stage.open();
    const server = scene.server();
    await server.ready();
    const [warmS, soakS] = stage.pace === 'full' ? [600, 600] : [5, 10];
    const sender = scene.sender(server.url, { rate: 200 });
    await sleep(warmS * 1000);
    await eventLoopDelayP99(server);
    const points: { minute: number; mb: number }[] = [];
    const delays: number[] = [];
    const since = performance.now();
    while (performance.now() - since < soakS * 1000) {
      await sleep(Math.min(10_000, soakS * 100));
      points.push({ minute: (performance.now() - since) / 60_000, mb: server.rssMb() });
      delays.push(await eventLoopDelayP99(server));
    }
    await sender.stop();
    await scene.caughtUp(10_000);
    const verdict = await scene.verdict();
    const answers = await sender.answers();
    const refused = answers.filter(({ status }) => status !== 200).length;
    const slope = slopeOf(points);
    const delay = percentile(delays, 0.99);
    return {
      figures: [
        countsOf(verdict),
        `memory ${points[0]?.mb.toFixed(0)} → ${points.at(-1)?.mb.toFixed(0)} MB, slope ${slope.toFixed(2)} MB/min; event loop delay p99 ${delay.toFixed(1)} ms; ${share(refused, answers.length)} refused; acknowledged p99 ${percentile(
          answers.map(({ tookMs }) => tookMs),
          0.99,
        ).toFixed(0)} ms`,
      ],
      checks: [
        ...nothingLost(verdict),
        // Over seconds the slope is noise.
        check('memory grows by at most 1 MB/min', stage.pace === 'short' || slope <= 1, `${slope.toFixed(2)} MB/min`),
        check('event loop delay p99 at most 50 ms', delay <= 50, time(delay)),
      ],
    };
  },
};

/** Milliseconds, since the last time it was asked. */
async function eventLoopDelayP99(server: Server): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(text)?.[1] ?? Number.NaN) * 1000;
}

/** Least squares, MB per minute. */
function slopeOf(points: { minute: number; mb: number }[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const meanMinute = mean(points.map(({ minute }) => minute));
  const meanMb = mean(points.map(({ mb }) => mb));
  const over = points.reduce((sum, { minute, mb }) => sum + (minute - meanMinute) * (mb - meanMb), 0);
  const under = points.reduce((sum, { minute }) => sum + (minute - meanMinute) ** 2, 0);
  return under === 0 ? 0 : over / under;
}
