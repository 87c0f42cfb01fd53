import { createLog } from '#src/kit/log.ts';
import { collectLeftovers } from '#src/leftovers.ts';

const log = createLog('silent');

it('collects what nobody holds any more, once there is nothing to do', async () => {
  const left = new WeakRef({ much: new Array(1_000).fill('of it') });
  const end = collectLeftovers(log, 100);
  // Old enough for its memory to be kept for long; the test runs out of time when it is.
  while (left.deref() !== undefined) await new Promise((resolve) => setTimeout(resolve, 50));
  end();
});
