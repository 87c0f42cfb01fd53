/**
 * How long the editor of insights takes to answer to the hand (Interaction to Next Paint), in a browser that is slowed down: typing, choosing, dragging and
 * toggling over the sample shop. Needs a server with it: `npm start -- --demo`.
 *
 * `node build.mjs run bench/editor.ts [--url http://localhost:3000] [--cookie "…"] [--slower 4] [--rounds 5] [--width 1440]`
 *
 * `--cookie`: of someone who is signed in; without it nobody may have an account yet, and the owner is made.
 */
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { launchChromium } from '#test/kit/chromium.ts';
import { setUpOwner } from '#test/kit/sign-in.ts';

const { values: given } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://localhost:3000' },
    cookie: { type: 'string' },
    slower: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
    width: { type: 'string', default: '1440' },
  },
});
const slower = Number(given.slower);
const rounds = Number(given.rounds);

/** What an interaction may take, ms. */
const TARGET_MS = 100;
/** Shorter ones are not reported by the browser. */
const SHORTEST_MS = 16;
/** Between two letters. */
const LETTER_MS = 120;
/** After a step, until its answer is drawn as well. */
const SETTLED_MS = 700;

/** The longest interactions and tasks, ms. */
interface Seen {
  interactions: number[];
  tasks: number[];
}

const found = new Map<string, Seen>();
const cookie = given.cookie ?? (await setUpOwner(given.url)).cookie;
const browser = await launchChromium();
try {
  const context = await browser.newContext({ locale: 'en', viewport: { width: Number(given.width), height: 900 } });
  await context.addCookies(
    cookie.split('; ').map((pair) => {
      const at = pair.indexOf('=');
      return { name: pair.slice(0, at), value: pair.slice(at + 1), url: given.url };
    }),
  );
  await context.addInitScript(observe);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const project = await demoProject(page);
  const session = await context.newCDPSession(page);
  // The first round compiles the code, and what the server has not counted yet.
  for (let round = 0; round <= rounds; round++) {
    if (round === 1) found.clear();
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    await page.goto(`${given.url}/project/${project}/insights/new`);
    await page.getByRole('region', { name: 'Results' }).getByRole('table').waitFor();
    await sleep(SETTLED_MS);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slower });
    await askTrends(page);
    await askFunnel(page);
  }
} finally {
  await browser.close();
}
report();
process.exit(0);

/** Runs in the page: collects durations of interactions (the longest event of each) and of long tasks. */
function observe(): void {
  interface Interaction extends PerformanceEntry {
    interactionId: number;
  }
  const seen = { interactions: {} as Record<number, number>, tasks: [] as number[] };
  Object.assign(window, { seen });
  new PerformanceObserver((list) => {
    for (const { interactionId: id, duration } of list.getEntries() as Interaction[])
      if (id > 0) seen.interactions[id] = Math.max(seen.interactions[id] ?? 0, duration);
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.tasks.push(duration);
  }).observe({ type: 'longtask' });
}

async function demoProject(page: Page): Promise<number> {
  const answer = await page.request.get(`${given.url}/api/trpc/projects.list`);
  const { result } = (await answer.json()) as { result: { data: { json: { id: number; name: string }[] } } };
  const shop = result.data.json.find(({ name }) => name === 'Café Serrana');
  if (shop === undefined) throw new Error(`There is no sample shop at ${given.url}: npm start -- --demo`);
  return shop.id;
}

/** Does something, and notes how long the page took to answer to it. */
async function step(page: Page, name: string, act: () => Promise<unknown>): Promise<void> {
  await page.evaluate('window.seen.interactions = {}; window.seen.tasks = []; true');
  await act();
  await sleep(SETTLED_MS * Math.max(1, slower / 2));
  const seen = await page.evaluate<Seen>(
    '({ interactions: Object.values(window.seen.interactions), tasks: window.seen.tasks })',
  );
  const all = found.get(name) ?? { interactions: [], tasks: [] };
  all.interactions.push(Math.max(0, ...seen.interactions));
  all.tasks.push(Math.max(0, ...seen.tasks));
  found.set(name, all);
}

/** Opens a choice, types in it and takes what is found. */
async function choose(page: Page, button: string, typed: string, option: string): Promise<void> {
  const name = button.replace(/,.*$/, '').toLowerCase();
  await step(page, `open the choice of ${name}`, () => page.getByRole('button', { name: button }).click());
  await step(page, `type in the choice of ${name}`, () => page.keyboard.type(typed, { delay: LETTER_MS }));
  await step(page, `take a ${name}`, () => page.getByRole('option', { name: option }).first().click());
}

async function askTrends(page: Page): Promise<void> {
  await choose(page, 'Event, series A', 'pedido', 'pedido_concluido');
  await step(page, 'choose a measure', async () => {
    await page.getByRole('combobox', { name: 'Measure, series A' }).focus();
    await page.keyboard.press('ArrowDown');
  });
  await step(page, 'add a series', () => page.getByRole('button', { name: 'Add series' }).click());
  await choose(page, 'Event, series B', 'produto', 'produto_visto');
  await choose(page, 'Breakdown by', 'browser', 'Browser');
  await step(page, 'drag a series', () => drag(page, /^Reorder series B/, /^Reorder series A/));
  await step(page, 'move a series by keys', async () => {
    await page.getByRole('button', { name: /^Reorder series B/ }).focus();
    await page.keyboard.press('Alt+ArrowUp');
  });
  await step(page, 'add a formula', () => page.getByRole('button', { name: 'Add formula' }).click());
  await step(page, 'type a formula', async () => {
    await page.getByRole('textbox', { name: 'Formula 1' }).focus();
    await page.keyboard.type('A / B * 100', { delay: LETTER_MS });
  });
  await step(page, 'hide a series', () => page.getByRole('checkbox').first().click());
  await step(page, 'open the chart types', () => page.getByRole('button', { name: /Chart type/ }).click());
  await step(page, 'choose a chart type', () => page.getByRole('link', { name: 'Bars', exact: true }).click());
  await step(page, 'undo', () => page.getByRole('button', { name: 'Undo' }).click());
}

async function askFunnel(page: Page): Promise<void> {
  await step(page, 'choose the kind', () => page.getByRole('link', { name: 'Funnel', exact: true }).click());
  await step(page, 'add a step', () => page.getByRole('button', { name: 'Add step' }).click());
  await step(page, 'make a step optional', () =>
    page
      .getByRole('checkbox', { name: /^Optional/ })
      .first()
      .click(),
  );
  await step(page, 'type the window', async () => {
    await page.getByRole('spinbutton').first().focus();
    await page.keyboard.type('7', { delay: LETTER_MS });
  });
  await step(page, 'drag a step', () => drag(page, /^Reorder step 3/, /^Reorder step 1/));
  await step(page, 'open the people behind a number', () =>
    page
      .getByRole('button', { name: /dropped off/ })
      .first()
      .click(),
  );
  await step(page, 'search people', () => page.keyboard.type('maria', { delay: LETTER_MS }));
  await step(page, 'close the people', () => page.keyboard.press('Escape'));
}

async function drag(page: Page, from: RegExp, to: RegExp): Promise<void> {
  const [start, end] = await Promise.all(
    [from, to].map((name) => page.getByRole('button', { name }).first().boundingBox()),
  );
  if (!start || !end) throw new Error('There is nothing to drag.');
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
  await page.mouse.down();
  for (let part = 1; part <= 10; part++) {
    await page.mouse.move(start.x + start.width / 2, start.y + ((end.y - 20 - start.y) * part) / 10);
    await sleep(16);
  }
  await page.mouse.up();
}

function report(): void {
  console.log(
    `Interaction to Next Paint of the editor, ${slower}x slower, ${given.width} px, ${rounds} rounds, ms: median / longest of a round, and the longest task. ` +
      `Load ${loadavg()[0]?.toFixed(1)}. Wanted: ${TARGET_MS}.`,
  );
  for (const [name, { interactions, tasks }] of found) {
    const longest = Math.max(...interactions);
    const mark = longest > TARGET_MS ? '  above' : '';
    console.log(
      `  ${name.padEnd(36)} ${shown(middleOf(interactions))} / ${shown(longest)}, task ${shown(Math.max(...tasks))}${mark}`,
    );
  }
}

function middleOf(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;
}

function shown(ms: number): string {
  return ms < SHORTEST_MS ? `<${SHORTEST_MS}` : ms.toFixed(0);
}
