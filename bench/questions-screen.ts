/**
 * The whole Overview as people get it: the built server, started as `npm start` does it, is asked for the page, which asks all of its
 * questions at once, draws it and compresses it. With two databases, in turns.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Server, startServer } from '#test/faults/kit/server.ts';
import { setUpOwner } from '#test/kit/sign-in.ts';
import { spansOf } from './questions-asked.ts';
import type { Data } from './questions-data.ts';

export interface ScreenOptions {
  days: number;
  runs: number;
  cold: number;
  /** Scratch folder of the servers. */
  folder: string;
  /** First of the ports. */
  port: number;
}

/** Nobody is back sooner after a restart. */
const AFTER_START_MS = 3_000;

/** Answers are kept for two seconds while nothing arrives: the page is asked for again when they are gone. */
const UNTIL_FORGOTTEN_MS = 2_100;

/** Who asks is a browser: what is taken for a bot gets a page only when all of it is there. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

const filters = [
  ['no filter', ''],
  ['browser is Safari', '&filter=browser:equals:Safari'],
  ['experiment is A', '&filter=event.experiment:equals:A'],
  ['path contains "produtos"', '&filter=page:contains:produtos'],
  ['channel is Direct', '&filter=channel:equals:Direct'],
] as const;

export interface Opened {
  data: Data;
  server: Server;
  cookie: string;
  /** Asks for the Overview. @returns ms until all of it was there */
  page(query: string): Promise<number>;
}

export async function measureScreens(all: readonly Data[], options: ScreenOptions): Promise<void> {
  const { days, runs, cold } = options;
  console.log(
    `\nThe whole screen through HTTP, ${days} days and those before: median / 95th percentile in ms. "first": a server that was started three seconds before.`,
  );
  const firsts = all.map(() => [] as number[]);
  const open = () => Promise.all(all.map((data, place) => openScreen(data, options, place)));
  const close = (screens: Opened[]) => Promise.all(screens.map(({ server }) => server.end('SIGTERM')));
  for (let run = 0; run < cold; run++) {
    const screens = await open();
    await sleep(AFTER_START_MS);
    for (const [place, screen] of screens.entries()) firsts[place]?.push(await screen.page(''));
    await close(screens);
  }
  const screens = await open();
  for (const [title, query] of filters) {
    const times = all.map(() => [] as number[]);
    const before = screens.map(({ server }) => server.cpuSeconds());
    for (let run = -1; run < runs; run++) {
      for (const [place, screen] of screens.entries()) {
        const took = await screen.page(query);
        if (run >= 0) times[place]?.push(took);
      }
      await sleep(UNTIL_FORGOTTEN_MS);
    }
    for (const [place, { data, server }] of screens.entries()) {
      const cpu = ((server.cpuSeconds() - (before[place] as number)) * 1000) / (runs + 1);
      const first = title === 'no filter' ? `, first ${shown(firsts[place] as number[])}` : '';
      console.log(
        `  ${title.padEnd(28)} ${String(data.events).padStart(9)} events: ${shown(times[place] as number[])}, CPU ${cpu.toFixed(0)} ms${first}`,
      );
    }
  }
  for (const [place, { data, server }] of screens.entries())
    console.log(`  memory of the server with ${data.events} events (${place}): ${server.rssMb().toFixed(0)} MB`);
  await close(screens);
}

/** What a viewer looks at before the next page. */
const LOOKING_MS = 1_000;

/** Opens the Overview until it is over, with a filter of a new value every other time. @param pages gets the ms of each */
export async function look(screen: Opened, viewer: string, pages: number[], over: AbortSignal): Promise<void> {
  for (let time = 0; !over.aborted; time++) {
    const filter = time % 2 === 0 ? '' : `&filter=page:contains:produtos|${viewer}-${time}`;
    pages.push(await screen.page(filter));
    await sleep(LOOKING_MS, undefined, { signal: over }).catch(() => undefined); // it is over
  }
}

/** Starts a server on the database, for the owner of the project. */
export async function openScreen(
  data: Data,
  { days, folder, port }: Pick<ScreenOptions, 'days' | 'folder' | 'port'>,
  place: number,
  env: Record<string, string> = {},
): Promise<Opened> {
  const flags = await launcherFlags();
  const server = startServer({
    ...{ root: process.cwd(), port: port + place, databaseUrl: data.url, folder, flags },
    env: { LOG_LEVEL: 'warn', JOBS: 'worker', SPOOL_DIR: `${folder}/spool-${place}`, ...env },
  });
  await server.ready();
  const cookie = await cookieFor(data, server.url);
  const { range } = spansOf(data, days);
  return {
    ...{ data, server, cookie },
    async page(query) {
      const begin = performance.now();
      const address = `${server.url}/project/${data.project.id}/overview?from=${range.from}&to=${range.to}${query}`;
      const headers = { cookie, 'accept-encoding': 'br', 'user-agent': BROWSER };
      const answer = await fetch(address, { headers, redirect: 'manual' });
      const text = await answer.text();
      if (answer.status !== 200 || text.length < 10_000) throw new Error(`${address} was answered ${answer.status}`);
      return performance.now() - begin;
    },
  };
}

/** The first person sets the installation up, and gets the project; kept for the next time. */
async function cookieFor({ text, project }: Data, url: string): Promise<string> {
  await text('create table if not exists bench_cookies (cookie text)');
  const [kept] = await text<{ cookie: string }>('select cookie from bench_cookies');
  if (kept) return kept.cookie;
  const { cookie } = await setUpOwner(url);
  await text(`update projects set team_id = (select max(id) from teams) where id = ${project.id}`);
  await text(`insert into bench_cookies values ('${cookie.replaceAll("'", "''")}')`);
  return cookie;
}

/** Written in plain JavaScript, for a Node that runs nothing else yet. */
async function launcherFlags(): Promise<string[]> {
  const file = new URL('../build.flags.mjs', import.meta.url).href;
  const { serverFlags } = (await import(file)) as { serverFlags(): string[] };
  return serverFlags();
}

/** Median and 95th percentile. */
export function shown(times: readonly number[]): string {
  const sorted = [...times].sort((one, other) => one - other);
  const at = (share: number) => (sorted[Math.ceil(share * (sorted.length - 1))] ?? Number.NaN).toFixed(0);
  return `${at(0.5)} / ${at(0.95)}`;
}
