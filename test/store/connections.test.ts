import { connectionsOf, defaultBudget, minConnections, shareConnections } from '#src/store/connections.ts';
import fc from '#test/kit/fast-check.ts';

const uses = ['web', 'webWithoutJobs', 'worker'] as const;

it('fits two web processes and a worker into 30 connections', () => {
  expect(2 * minConnections('webWithoutJobs') + minConnections('worker')).toBeLessThanOrEqual(30);
  expect(minConnections('web')).toBeLessThanOrEqual(20);
});

it('allocates no more than available, and leaves nothing usable', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.constantFrom(...uses), (budget, use) => {
      const shares = shareConnections(budget, use);
      const all = connectionsOf(shares, use);
      expect(all).toBeLessThanOrEqual(Math.max(budget, minConnections(use)));
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

it('takes by default a part of what is allowed, and leaves others theirs where that is more than it needs', () => {
  const limits = fc.record({ allowed: fc.integer({ min: 1, max: 500 }), taken: fc.integer({ min: 0, max: 500 }) });
  fc.assert(
    fc.property(limits, fc.constantFrom(...uses), ({ allowed, taken }, use) => {
      const free = allowed - Math.min(taken, allowed);
      const budget = defaultBudget({ allowed, free }, use);
      const least = minConnections(use);
      expect(budget).toBeGreaterThanOrEqual(least);
      expect(budget).toBeLessThanOrEqual(Math.max(least, Math.min(free, allowed * 0.8)));
    }),
  );
  expect(defaultBudget({ allowed: 97, free: 97 }, 'web')).toBe(77);
  expect(defaultBudget({ allowed: 97, free: 40 }, 'web')).toBe(40);
  expect(defaultBudget({ allowed: 17, free: 17 }, 'web')).toBe(16);
});
