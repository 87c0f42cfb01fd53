/** A process that owns an embedded PostgreSQL, for tests that kill it: prints one line when ready, stops on SIGTERM. */
import { systemClock } from '#src/kit/clock.ts';
import { createLog } from '#src/kit/log.ts';
import { startEmbedded } from '#src/store/embedded/embedded.ts';

const [home = ''] = process.argv.slice(2);
const log = createLog('silent');
const embedded = await startEmbedded({ root: process.cwd(), home, log, clock: systemClock });
process.stdout.write(`${await embedded.pid()} ${embedded.url}\n`);
const alive = setInterval(() => undefined, 1000);
process.once('SIGTERM', async () => {
  await embedded.stop();
  clearInterval(alive);
});
