/** A process that owns an embedded PostgreSQL, for killing: `node embedded-owner.ts ROOT HOME`. Says where it is in one line. */
import { systemClock } from '#src/kit/clock.ts';
import { createLog } from '#src/kit/log.ts';
import { startEmbedded } from '#src/store/embedded/embedded.ts';

const [, , root = '', home = ''] = process.argv;
const embedded = await startEmbedded({ root, home, log: createLog('silent'), clock: systemClock });
process.stdout.write(`${JSON.stringify({ url: embedded.url, home: embedded.home })}\n`);
const staying = setInterval(() => undefined, 60_000);

process.on('SIGTERM', () => {
  clearInterval(staying);
  void embedded.stop();
});
