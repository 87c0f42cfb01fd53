/** Visibility of background jobs. */
import request from 'supertest';
import type { JobStatus } from '#src/jobs/contract.ts';
import type { Rooms } from '#src/trpc/context.ts';
import { testApp } from '#test/kit/app.ts';
import { testReader, testSessions } from '#test/kit/reader.ts';

const failing: JobStatus = {
  ...{ name: 'event-retention', every: 'day', startedAt: 1, succeededAt: null, isRunning: false, tookMs: 2 },
  ...{ failures: 3, error: 'relation "events_of_somebody" does not exist' },
};

it.each([
  ['the operator', true, failing],
  ['owners of other teams', false, { ...failing, error: null }],
])('tells %s what they may know of a failure', async (_, operator, visible) => {
  const jobs = { status: async () => [failing] } as Partial<Rooms['jobs']> as Rooms['jobs'];
  const { app, close } = testApp({ rooms: { jobs }, sessions: testSessions(testReader('owner', { operator })) });
  const answer = await request(app).get('/api/trpc/jobs.status').expect(200);
  expect(answer.body.result.data.json).toEqual([visible]);
  await close();
});
