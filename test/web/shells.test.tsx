/**
 * Every screen while none of its answers is there. The browser lets answers into a page once the shell is taken over: a shell that waits for
 * one of them is never taken over.
 */
import request from 'supertest';
import { appRouter } from '#src/router.ts';
import type { Rooms } from '#src/trpc/context.ts';
import { publicProcedure, router } from '#src/trpc/procedure.ts';
import { routes } from '#views/routes.tsx';
import { testApp } from '../kit/app.ts';
import { testSessions } from '../kit/reader.ts';

const silent = publicProcedure.query(() => new Promise<never>(() => undefined));

/** The product's calls by their names, of which none is ever answered. */
function silentRouter() {
  const rooms: Record<string, Parameters<typeof router>[0]> = {};
  for (const path of Object.keys(appRouter._def.procedures)) {
    const names = path.split('.');
    const last = names.pop() as string;
    let at = rooms;
    for (const name of names) {
      at[name] ??= {};
      at = at[name] as typeof rooms;
    }
    at[last] = silent as never;
  }
  return router(rooms);
}

const person = '0193abcd-0000-7000-8000-000000000001';
const filled: Record<string, string> = { project: '1', team: '1', person, insight: '1' };
/** What decides the status of a page is there. */
const rooms = { people: { get: async () => ({ uuid: person }) }, insights: { saved: { get: async () => ({}) } } };

/** All that an address may open of a screen. */
const opened = 'goal=1&segment=1&details=page&explain=page&edit=new&who=did:all_time:1:paid&compare=previous';

it.each(routes.map((route) => [route.name, route] as const))('%s', async (name, { path, needs }) => {
  const { app, close } = testApp({
    router: silentRouter(),
    routes,
    limits: { criticalMs: 0, wholeMs: 100 },
    sessions: testSessions(needs === 'anyone' ? null : undefined),
    rooms: rooms as unknown as Partial<Rooms>,
  });
  const address = path.replace(/:(\w+)/g, (_, part: string) => filled[part] ?? 'x');
  for (const search of ['', opened]) {
    const { status, headers } = await request(app).get(`${address}?${search}`);
    // The installation is set up: nobody does it again.
    if (name === 'set-up') expect([status, headers['location']]).toEqual([302, '/sign-in']);
    else expect([search, status]).toEqual([search, 200]);
  }
  await close();
});
