/** Visits and counts that differ from their events are rebuilt, also while events arrive. */
import { eventMarks } from '#src/events/contract.ts';
import { useDatabase } from '#test/kit/database.ts';
import { sessionId } from '../insights/histories.ts';
import { HOUR, NOON, openScene, type Scene, type Told } from './scene.ts';

const database = useDatabase();
let scene: Scene;

beforeEach(async () => {
  scene = await openScene(database.url);
});

afterEach(() => scene.close());

const visits = () => database.query('select * from sessions order by project_id, uuid');
const counts = () => database.query('select * from event_counts order by project_id, event, quarter');

/** Visits of several events each, by people and bots, pages and clicks in any order. */
function story(): Told[] {
  const names = ['$pageview', '$autocapture', '$screen', 'order'];
  return Array.from({ length: 120 }, (_, index): Told => {
    const visit = index % 17;
    return {
      event: names[(index * 7) % names.length] as string,
      ts: NOON - visit * HOUR + ((index * 7_919) % 1_000) * 1_000,
      session: sessionId(`visit ${visit}`),
      distinctId: `person ${visit % 5}`,
      path: `/page-${index % 3}`,
      bot: visit === 4,
    };
  });
}

it('repairs all damage', async () => {
  await scene.happened(...story());
  await scene.columns.seal();
  const [visitsBefore, countsBefore] = [await visits(), await counts()];
  await database.query(
    `update sessions set first_ts = first_ts + interval '1 minute', first_uuid = gen_random_uuid(), person = person + 1, device = 99,
            entry_page = null, exit_ts = exit_ts - interval '1 hour', views = views + 1, bot = not bot
      where id % 2 = 0`,
  );
  await database.query('update event_counts set events = events + 1, bots = 7 where event = 1');
  await database.query('delete from event_counts where event = 2');
  await database.query("insert into event_counts values (1, 1, '2020-01-01', 5, 0)");
  const spoilt = visitsBefore.filter(({ id }) => Number(id) % 2 === 0).length;
  expect(await scene.columns.rebuild()).toMatchObject({ visits: spoilt, events: 120 });
  expect(await visits()).toEqual(visitsBefore);
  expect(await counts()).toEqual(countsBefore);
  expect((await scene.columns.verify()).findings).toEqual([]);
  expect(await scene.columns.rebuild()).toMatchObject({ visits: 0, counts: 0 });
});

it('leaves a visit alone whose beginning is no longer kept', async () => {
  await scene.happened({ ts: NOON }, { ts: NOON + 60_000 });
  await database.query(`delete from events where ts = $1`, [new Date(NOON)]);
  const before = await visits();
  expect(await scene.columns.rebuild()).toMatchObject({ visits: 0 });
  expect(await visits()).toEqual(before);
});

it('loses nothing of what comes meanwhile', async () => {
  await scene.happened(...story());
  let isDone = false;
  const writing = (async () => {
    for (let batch = 0; !isDone || batch < 10; batch++) {
      const told = Array.from(
        { length: 20 },
        (_, index): Told => ({
          ...{ session: sessionId(`visit ${index % 17}`), distinctId: `person ${index % 5}` },
          ts: NOON + batch * 1_000 + index,
        }),
      );
      await scene.happened(...told);
    }
  })();
  for (let round = 0; round < 5; round++) {
    await database.query('update event_counts set events = events + 3');
    await scene.columns.rebuild();
  }
  isDone = true;
  await writing;
  await scene.columns.rebuild();
  expect((await scene.columns.verify()).findings).toEqual([]);
  const [stored] = await database.query<{ events: number }>(
    `select count(*)::int as events from events where marks & ${eventMarks.bot} = 0`,
  );
  const [counted] = await database.query<{ events: number }>('select sum(events)::int as events from event_counts');
  expect(counted).toEqual(stored);
});
