import { constants, PerformanceObserver } from 'node:perf_hooks';
import { createLog } from '#src/kit/log.ts';
import { collectLeftovers } from '#src/leftovers.ts';

interface Collection {
  detail: { kind: number; flags: number };
}

const log = createLog('silent');
/** V8 collects by itself, too, but says of those that it was not asked. */
const ASKED = constants.NODE_PERFORMANCE_GC_FLAGS_FORCED;
const WHOLE = constants.NODE_PERFORMANCE_GC_MAJOR;

it('collects everything that is old, once there is nothing to do', async () => {
  const collected = new Promise<void>((resolve) => {
    new PerformanceObserver((list, observer) => {
      const details = (list.getEntries() as unknown as Collection[]).map(({ detail }) => detail);
      if (!details.some(({ kind, flags }) => kind === WHOLE && (flags & ASKED) !== 0)) return;
      observer.disconnect();
      resolve();
    }).observe({ entryTypes: ['gc'] });
  });
  const end = collectLeftovers(log, 100);
  await collected;
  end();
});
