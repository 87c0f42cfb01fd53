/** What is said on the Overview beside numbers that are others than they seem. */
import request from 'supertest';
import { eventMarks } from '#src/events/contract.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import { useDatabase } from '#test/kit/database.ts';
import { callsOf } from '#test/kit/people.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';
import { finishedEvent, sessionId } from './histories.ts';

const database = useDatabase({ between: 'nothing' });
const whole = useWholeApp(database);
const day = 86_400_000;

/** @param events each an hour after the one before, the last an hour ago */
async function projectWith(...events: { event: string; marks?: number }[]): Promise<string> {
  const made = await callsOf(whole)
    .mutation(whole.owner, 'projects.create', { team: whole.team, name: 'Said', timeZone: 'UTC', weekStart: 1 })
    .expect(200);
  const { id } = made.body.result.data.json;
  const { deps, events: stored } = whole.parts.rooms;
  const start = deps.clock.now() - 2 * day;
  await stored.store(
    events.map(({ event, marks = 0 }, at) => ({
      ...finishedEvent(id, {
        ...{ uuid: uuidV7(start + at), event, distinctId: `visitor ${at}`, ts: start + at, bot: false },
        ...{ session: sessionId(`${id}`), path: '/', referringDomain: null },
      }),
      marks,
    })),
  );
  return String(id);
}

/** Of the whole page: one that is sent in parts is ended early on a busy machine. */
async function sentences(project: string, query: string, language = 'en') {
  const { text } = await request(whole.app)
    .get(`/project/${project}/overview?range=last_7_days${query}&wait=1`)
    .set('Cookie', whole.owner)
    .set('Accept-Language', language)
    .expect(200);
  return text.match(/cookieless visitors|sem cookies|Bounce rate may|rejeição pode/g);
}

it('says that cookieless visitors count as new each day, beside the numbers and where they are explained', async () => {
  const ends = [{ event: '$autocapture' }, { event: '$pageleave' }];
  const project = await projectWith({ event: '$pageview', marks: eventMarks.cookieless }, ...ends);
  expect(await sentences(project, '')).toEqual(['cookieless visitors']);
  expect(await sentences(project, '&explain=visitors')).toHaveLength(2);
  expect(await sentences(project, '', 'pt-BR')).toEqual(['sem cookies']);
  expect(await sentences(await projectWith({ event: '$pageview' }, ...ends), '')).toBeNull();
});

it('says that the bounce rate may be too high without clicks, or without leaving', async () => {
  const project = await projectWith({ event: '$pageview' }, { event: '$pageleave' });
  expect(await sentences(project, '')).toEqual(['Bounce rate may']);
  expect(await sentences(project, '&metric=bounceRate&explain=bounceRate')).toHaveLength(2);
  expect(await sentences(project, '', 'pt-BR')).toEqual(['rejeição pode']);
  // One sentence for both.
  expect(await sentences(await projectWith({ event: '$pageview' }), '')).toEqual(['Bounce rate may']);
});
