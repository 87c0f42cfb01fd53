/** The navigation shows a role what the role may see: the same as the table of screens says. */
import request from 'supertest';
import { isAtLeast } from '#src/accounts/contract.ts';
import { fixedClock } from '#src/kit/clock.ts';
import { roles } from '#src/projects/contract.ts';
import { projectsOf, testApp, testProject } from '#test/kit/app.ts';
import { testReader, testSessions } from '#test/kit/reader.ts';
import { SAMPLE_TIME, sampleProject, sampleRouter, sampleShop } from '#test/kit/sample-answers.ts';
import { routes } from '#views/routes.tsx';

const inNavigation = new Set(['overview', 'live', 'people', 'goals', 'events', 'ingestion', 'settings']);

it.each(roles)('%s', async (role) => {
  const shop = sampleShop({ projects: [{ ...sampleProject(2, 'Café Serrana', false), role }] });
  const luneta = testApp({
    router: sampleRouter(shop),
    ownToken: () => null,
    deps: { clock: fixedClock(SAMPLE_TIME) },
    sessions: testSessions(testReader(role)),
    rooms: { projects: projectsOf([testProject({ id: 2 })]) },
  });
  try {
    const { text } = await request(luneta.app).get('/project/2/overview').expect(200);
    const shown = new Set<string | undefined>(
      [...text.matchAll(/<a [^>]*href="\/project\/2\/(\w+)"/g)].map(([, screen]) => screen),
    );
    for (const { name, path, needs } of routes.filter((route) => inNavigation.has(route.name))) {
      const maySee = needs !== 'anyone' && needs !== 'signedIn' && needs !== 'operator' && isAtLeast(role, needs);
      expect([name, shown.has(path.split('/').at(-1))]).toEqual([name, maySee]);
    }
  } finally {
    await luneta.close();
  }
});
