import { connectionsOf, leastConnections, shareConnections } from '#src/store/connections.ts';
import fc from '#test/kit/fast-check.ts';

const uses = ['web', 'webWithoutJobs', 'worker'] as const;

it('fits two web processes and a worker into 30 connections', () => {
  expect(2 * leastConnections('webWithoutJobs') + leastConnections('worker')).toBeLessThanOrEqual(30);
  expect(leastConnections('web')).toBeLessThanOrEqual(20);
});

it('gives no more than there is, and leaves nothing that somebody could use', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.constantFrom(...uses), (budget, use) => {
      const shares = shareConnections(budget, use);
      const all = connectionsOf(shares, use);
      expect(all).toBeLessThanOrEqual(Math.max(budget, leastConnections(use)));
      const most = connectionsOf(shareConnections(1_000, use), use);
      // A job takes two.
      expect(all).toBeGreaterThanOrEqual(Math.min(budget - 1, most));
      const more = shareConnections(budget + 5, use);
      for (const part of Object.keys(shares) as (keyof typeof shares)[]) {
        expect(more[part]).toBeGreaterThanOrEqual(shares[part]);
      }
    }),
  );
});

it('opens the pools of a large server as before', () => {
  expect(shareConnections(Number.POSITIVE_INFINITY, 'web')).toEqual({
    ...{ mainDb: 10, mainWrite: 4, mainSessions: 4, screensDb: 10, screensWrite: 4, screensSessions: 4, jobs: 3 },
  });
});
