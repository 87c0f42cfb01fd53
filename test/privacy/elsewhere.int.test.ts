/** An erasure reaches what other rooms keep of people: split ids, and files of events. */
import { gunzipSync } from 'node:zlib';
import { createHistory } from '#src/events/history.ts';
import { createPeople, type People } from '#src/persons/people.ts';
import { createPrivacy, type Privacy } from '#src/privacy/privacy.ts';
import { createSplits, type Splits } from '#src/profiles/splits.ts';
import { createProjects } from '#src/projects/projects.ts';
import { createSecrets } from '#src/store/secrets.ts';
import { useDatabase } from '#test/kit/database.ts';
import { NOON } from '../columns/scene.ts';
import { type ExplorerScene, openExplorerScene } from '../explorer/scene.ts';
import { finishedEvent } from '../insights/histories.ts';

const database = useDatabase();
const MARINA = 'marina@serrana.example';
let scene: ExplorerScene;
let people: People;
let splits: Splits;
let privacy: Privacy;
let by: { id: number; uuid: string; name: string };

beforeEach(async () => {
  scene = await openExplorerScene(database.url);
  const { deps, explorer } = scene;
  people = createPeople(deps);
  const history = createHistory(deps);
  splits = createSplits(deps, { people, history });
  const parts = { people, history, secrets: createSecrets(deps), projects: createProjects(deps) };
  privacy = createPrivacy(deps, { ...parts, elsewhere: [splits, explorer.exports] });
  const [user] = await database.query<{ id: number; uuid: string }>(
    `insert into users (uuid, email, email_key, name, language, time_zone, created_at)
     values (gen_random_uuid(), 'a@b.example', 'a@b.example', 'Ana', 'en', 'UTC', '2026-01-01') returning id, uuid`,
  );
  by = { id: user?.id as number, uuid: user?.uuid as string, name: 'Ana' };
  await scene.happened({ distinctId: 'bia' }, { distinctId: MARINA });
});
afterEach(() => scene.close());

async function uuidOf(distinctId: string): Promise<string> {
  const found = await people.ofDistinctId(scene.project.id, distinctId);
  return (await people.current(scene.project.id, [found?.person as number]))?.uuid as string;
}

async function states(): Promise<string[]> {
  return (await privacy.overview(scene.project)).requests.map(({ state }) => state);
}

async function laterWork(): Promise<void> {
  scene.deps.clock.advance(61_000);
  await splits.work();
  await privacy.work();
}

/** Who is two by mistake, and taken apart again. @returns the uuid of who was taken out */
async function takeApart(): Promise<string> {
  const merge = finishedEvent(scene.project.id, {
    ...{ event: '$create_alias', distinctId: 'bia', ts: NOON + 5, bot: false, session: null, path: '/' },
    ...{ uuid: '019a9c2e-7e5d-7000-8000-00000000a11a', referringDomain: '$direct' },
  } as Parameters<typeof finishedEvent>[1]);
  merge.person = {
    ...{ process: true, set: {}, setOnce: {}, unset: [], identify: false },
    merge: { kind: 'alias', otherDistinctId: MARINA },
  };
  await scene.events.store([merge]);
  const person = await uuidOf('bia');
  expect(await uuidOf(MARINA)).toBe(person);
  return splits.split(scene.project.id, { person, distinctId: MARINA }, by, async () => undefined);
}

it('waits for the events of who was taken out, and leaves no trace of that', async () => {
  const marina = await takeApart();
  await privacy.erase(scene.project.id, marina, by);
  await privacy.work();
  expect(await states()).toEqual(['waiting']);
  await laterWork();
  await laterWork();
  await laterWork();
  expect(await states()).toEqual(['done']);
  expect(await database.query('select distinct_id from person_splits')).toEqual([]);
  expect(
    await database.query(
      'select 1 from events e where not exists (select from distinct_ids d where d.number = e.distinct_id)',
    ),
  ).toEqual([]);
  const [receipt] = (await privacy.overview(scene.project)).requests;
  expect(receipt?.counts).toMatchObject({ person_splits: 1, events: 1 });
});

it('deletes files that may contain them, and restarts running exports', async () => {
  const { project, explorer } = scene;
  const question = { from: NOON - 86_400_000, to: NOON + 86_400_000, names: [], columns: [] };
  const ask = async () => {
    const asked = { projectId: project.id, format: 'ndjson', question } as const;
    return (await explorer.exports.ask(asked, by as Parameters<typeof explorer.exports.ask>[1])).id;
  };
  const textOf = async (id: number) => {
    const pieces: Buffer[] = [];
    for await (const piece of (await explorer.exports.file(project.id, id)).compressed) pieces.push(piece);
    return gunzipSync(Buffer.concat(pieces)).toString();
  };
  const before = await ask();
  await explorer.exports.work();
  expect(await textOf(before)).toContain(MARINA);
  const running = await ask();
  await database.query(`update event_exports set state = 'running', attempts = 1 where id = $1`, [running]);

  await privacy.erase(project.id, await uuidOf(MARINA), by);
  await privacy.work();
  await laterWork();
  expect(await states()).toEqual(['done']);
  await expect(explorer.exports.file(project.id, before)).rejects.toMatchObject({ code: 'not_found' });
  expect(await database.query('select 1 from blob_pieces')).toEqual([]);
  await explorer.exports.work();
  const text = await textOf(running);
  expect(text).toContain('bia');
  expect(text).not.toContain(MARINA);
  expect(await explorer.exports.list(project.id)).toMatchObject([{ state: 'done' }, { state: 'expired' }]);
});
