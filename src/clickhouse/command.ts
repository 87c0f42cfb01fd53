/** `npm run clickhouse`: what is copied, which projects run their insights there, a refill, and the way back. */
import { AppError, invalid } from '#src/kit/errors.ts';
import { connectDirect, openDb } from '#src/store/db.ts';
import { query, sql } from '#src/store/sql.ts';
import { type ClickhouseDeps, createClickhouse } from './clickhouse.ts';
import { openClickhouse } from './connection.ts';
import { type Month, monthNamed } from './dropping/month.ts';
import { endFollowing, readState, readSwitched, switchProjects } from './state.ts';
import { lockShipping, migrateClickhouse, startOver } from './target.ts';
import type { KindCompared } from './verify-kinds.ts';

export const clickhouseUsage =
  'npm run clickhouse -- status | copy | use PROJECT|all | leave PROJECT|all | drop YYYY-MM [--yes] | accept --yes | refill | off';

type CommandDeps = Omit<ClickhouseDeps, 'db'>;

/** @param words what to do, and with which project (by number) @param say gets the lines of the answer */
export async function clickhouseCommand(
  given: CommandDeps,
  [what = 'status', which, ...more]: readonly string[],
  say: (line: string) => void,
): Promise<void> {
  const { config } = given;
  const db = openDb(config, given.log);
  const deps = { ...given, db };
  try {
    if (what === 'off') {
      await db.transaction((transaction) => endFollowing(transaction));
      return say(
        'Nothing is copied any more, and insights run on PostgreSQL. Remove CLICKHOUSE_URL and restart; the tables in ClickHouse can be dropped.',
      );
    }
    if (config.CLICKHOUSE_URL === undefined) throw invalid('CLICKHOUSE_URL', 'CLICKHOUSE_URL is not set.');
    switch (what) {
      case 'status':
        return say(await statusText(deps));
      case 'copy':
        return await copyNow(deps, say);
      case 'use':
      case 'leave':
        return say(await switchText(deps, what === 'use', which));
      case 'drop':
        return await dropText(deps, monthNamed(which), more.includes('--yes'), say);
      case 'accept':
        return await acceptText(deps, which === '--yes', say);
      case 'refill':
        await refill(deps);
        return say(
          'Everything that PostgreSQL has is copied again in the background. Dropped months stay as they are.',
        );
      default:
        throw invalid('command', `Unknown word "${what}". Usage: ${clickhouseUsage}`);
    }
  } finally {
    await db.destroy();
  }
}

async function statusText(deps: ClickhouseDeps): Promise<string> {
  const clickhouse = createClickhouse(deps);
  if (clickhouse === null) return '';
  const { events, backlog, isMore, caughtUpAt, error, dropped } = await clickhouse.status();
  const switched = await readSwitched(deps.db);
  return [
    `${counted(events)} events copied, ${isMore ? 'more than ' : ''}${counted(backlog)} waiting.`,
    `Complete last: ${caughtUpAt === null ? 'never' : new Date(caughtUpAt).toISOString()}.`,
    ...(error === null ? [] : [`Last attempt failed: ${error}.`]),
    switched.length === 0
      ? 'All insights run on PostgreSQL.'
      : `Insights of these projects run on ClickHouse: ${switched.join(', ')}.`,
    ...dropped.map(
      ({ month, at, events: rows, isLost }) =>
        `${month}: ${counted(rows)} single events are in ClickHouse alone since ${new Date(at).toISOString()}${isLost ? ', AND NOT ALL OF THEM ARE THERE' : ''}.`,
    ),
  ].join('\n');
}

async function copyNow(deps: ClickhouseDeps, say: (line: string) => void): Promise<void> {
  const clickhouse = createClickhouse(deps);
  if (clickhouse === null) return;
  try {
    const hasCopied = await clickhouse.shipAll({ waits: true });
    if (!hasCopied) return say('A running process is copying already.');
    const { events } = await clickhouse.status();
    say(`${counted(events)} events copied. Nothing is waiting.`);
  } finally {
    await clickhouse.stop();
  }
}

/** Says what dropping changes, and does it when it was asked to. */
async function dropText(
  deps: ClickhouseDeps,
  month: Month,
  isDone: boolean,
  say: (line: string) => void,
): Promise<void> {
  const clickhouse = createClickhouse(deps);
  if (clickhouse === null) return;
  try {
    const { rows, bytes, projects } = await clickhouse.drop(month, isDone);
    const what = `${counted(rows)} single events of ${month.name}, of ${counted(projects)} ${projects === 1 ? 'project' : 'projects'}`;
    const disk = `${counted(Math.round(bytes / 1_000_000))} MB of PostgreSQL’s disk`;
    if (isDone) return say(`Dropped ${what}: ${disk}. Back up ClickHouse: nothing else has them.`);
    for (const line of [
      `${what}: ${disk}. ClickHouse has the same, by project, day and event name. Nothing was changed.`,
      'Afterwards: backups of PostgreSQL hold none of them, so back up ClickHouse. Events that come late for the month are refused.',
      'Its single events can be read while ClickHouse answers. IDs of people who have some of them can’t be split.',
      `To drop them: npm run clickhouse -- drop ${month.name} --yes`,
    ])
      say(line);
  } finally {
    await clickhouse.stop();
  }
}

/** Of months that are lost for good. */
async function acceptText(deps: ClickhouseDeps, isDone: boolean, say: (line: string) => void): Promise<void> {
  if (!isDone) {
    throw invalid(
      'accept',
      'This takes what ClickHouse has of dropped months as all there is: what is missing is gone for good. Add --yes.',
    );
  }
  const clickhouse = createClickhouse(deps);
  if (clickhouse === null) return;
  try {
    const days = await clickhouse.acceptLoss();
    say(`${counted(days)} days had other events than they should. What ClickHouse has of them is all there is now.`);
  } finally {
    await clickhouse.stop();
  }
}

async function switchText(deps: ClickhouseDeps, isOn: boolean, which: string | undefined): Promise<string> {
  const projects = await projectsNamed(deps, which);
  const { caughtUpAt } = await readState(deps.db);
  // Figures of half of the events would look like those of all.
  if (isOn && caughtUpAt === null)
    throw new AppError('conflict', 'Not everything is copied yet. See: npm run clickhouse -- status');
  const changed = await switchProjects(deps.db, projects, isOn);
  const where = isOn ? 'ClickHouse' : 'PostgreSQL';
  return `Insights of ${counted(changed)} more ${changed === 1 ? 'project' : 'projects'} run on ${where} from the next minute on.`;
}

async function projectsNamed({ db }: ClickhouseDeps, which: string | undefined): Promise<number[] | null> {
  if (which === 'all') return null;
  const number = Number(which);
  const known = await query<{ id: number }>(db, sql`select id from projects order by id`);
  if (!known.some(({ id }) => id === number))
    throw invalid('project', `Name a project by its number, or "all". Usage: ${clickhouseUsage}`);
  return [number];
}

async function refill({ config }: ClickhouseDeps): Promise<void> {
  const client = await connectDirect(config, () => undefined);
  const house = await openClickhouse(config);
  try {
    if (!(await lockShipping(client, true)))
      throw new AppError('conflict', 'A running process is copying. Stop it, and try again.');
    await migrateClickhouse(house);
    await startOver(client, house);
  } finally {
    await Promise.all([client.end(), house.close()]);
  }
}

/** A line for each project: what both engines were asked, and how they answered. */
export function linesOfKinds(kinds: readonly KindCompared[]): string[] {
  const words = { different: 'OTHER ANSWERS', equal: 'same answers', left: 'not compared' };
  return [...new Set(kinds.map(({ project }) => project))].map((project) => {
    const parts = (['different', 'equal', 'left'] as const).flatMap((found) => {
      const own = kinds.filter((each) => each.project === project && each.found === found);
      return own.length === 0 ? [] : `${words[found]}: ${own.map(({ kind }) => kind).join(', ')}`;
    });
    return `Project ${project}, both engines: ${parts.join('; ')}.`;
  });
}

function counted(number: number): string {
  return number.toLocaleString('en-US');
}
