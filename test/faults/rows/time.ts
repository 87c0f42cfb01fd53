/** Clocks that jump, and jobs that die. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ours } from '../kit/children.ts';
import { check, countsOf, nothingLost, percentile, type Row } from '../kit/row.ts';
import type { Scene } from '../kit/scene.ts';
import { withMovableClock } from './input.ts';

export const r20: Row = {
  id: 'R20',
  title: 'the clock jumps back 1 h and forward 1 day',
  async run(stage) {
    const scene = await stage.open();
    const { server, move } = await withMovableClock(scene);
    const sender = scene.sender(server.url, { rate: 300, copies: 2 });
    const spellMs = stage.pace === 'full' ? 10_000 : 2000;
    const jumps = [-3_600_000, 86_400_000, 0];
    await sleep(spellMs);
    const jumpedAt: number[] = [];
    for (const jump of jumps) {
      jumpedAt.push(Date.now());
      await move(jump);
      await sleep(spellMs);
    }
    await sender.stop();
    const answers = await sender.answers();
    const after = answers.filter(({ at }) => jumpedAt.some((jumped) => at >= jumped && at < jumped + 1000));
    const refused = answers.filter(({ status }) => status !== 200).length;
    const verdict = await scene.verdict();
    const sessions = await scene.query<{ rows: string; of_events: string }>(
      `select (select count(*) from sessions) as rows, (select count(distinct session_id) from events) as of_events`,
    );
    const { rows, of_events } = sessions[0] ?? { rows: '0', of_events: '-1' };
    return {
      figures: [
        countsOf(verdict),
        `each request sent twice; ${refused} refused; p99 ${percentile(
          after.map(({ tookMs }) => tookMs),
          0.99,
        ).toFixed(0)} ms in the second after a jump; ${rows} sessions, ${of_events} of events`,
      ],
      checks: [
        ...nothingLost(verdict),
        check('nothing is refused', refused === 0, refused),
        check('no session is lost', rows === of_events && Number(rows) > 0),
      ],
    };
  },
};

export const r18: Row = {
  id: 'R18',
  title: 'a worker is killed in the middle of a job; another job fails every time',
  async run(stage) {
    const scene = await stage.open();
    await scene.query('create table effects (name text primary key, times int not null)');
    const first = startWorker(scene, 'hang');
    await until(scene, `select 1 from effects where name = 'begun'`);
    process.kill(first.pid as number, 'SIGKILL');
    const killedAt = performance.now();
    await sleep(6000);
    const second = startWorker(scene, 'finish');
    await until(scene, `select 1 from effects where name = 'done'`);
    const againMs = performance.now() - killedAt;
    await until(scene, `select 1 from effects where name = 'fine'`);
    const effects = await scene.query<{ name: string; times: number }>('select name, times from effects order by name');
    const failing = await scene.query<{ failures: number }>(`select failures from job_runs where name = 'failing'`);
    // The database goes away in the middle of a job, and comes back.
    await scene.query(`delete from effects where name = 'slow'`);
    await until(scene, `select 1 from job_runs where name = 'slow' and finished_at is null`);
    await scene.postgres.stop();
    await sleep(4000);
    const isAlive = second.exitCode === null && second.signalCode === null;
    await scene.postgres.start();
    const returnedAt = performance.now();
    await until(scene, `select 1 from effects where name = 'slow'`);
    const slowMs = performance.now() - returnedAt;
    process.kill(second.pid as number, 'SIGTERM');
    const done = effects.find(({ name }) => name === 'done')?.times;
    return {
      figures: [
        `lost 0, twice 0 by effect: the job ran again ${(againMs / 1000).toFixed(1)} s after the kill (the second worker started after 6 s), its effect is there ${done} time(s)`,
        `the database away in the middle of a job: the process ${isAlive ? 'lives' : 'died'}, the job ran again ${(slowMs / 1000).toFixed(1)} s after the return`,
        `the failing job failed ${failing[0]?.failures ?? 0} time(s) meanwhile and held nothing back`,
      ],
      checks: [
        check('the effect is there once', done === 1),
        check('a process survives the loss of the database', isAlive),
        check('the failing job failed', (failing[0]?.failures ?? 0) > 0),
      ],
    };
  },
};

function startWorker(scene: Scene, mode: 'hang' | 'finish'): ChildProcess {
  const script = fileURLToPath(new URL('../kit/job-worker.ts', import.meta.url));
  return ours(
    spawn(process.execPath, [script, scene.databaseUrl, mode], {
      cwd: scene.root,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { PATH: process.env['PATH'] ?? '', HOME: join(scene.folder) },
    }),
  );
}

async function until(scene: Scene, question: string): Promise<void> {
  for (const since = performance.now(); performance.now() - since < 90_000; ) {
    if ((await scene.query(question)).length > 0) return;
    await sleep(50);
  }
  throw new Error(`waited in vain for: ${question}`);
}
