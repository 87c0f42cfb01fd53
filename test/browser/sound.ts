/** What every screen is asked: that everybody can read it, that it fits, and whether it hears presses yet. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { axePath } from '#test/kit/chromium.ts';
import { eventually } from './luneta.ts';

const axe = readFileSync(axePath(), 'utf8');

/** Nothing reads where an element stands, and no rule that is on reads style sheets: a third of what axe does otherwise. */
const spared = { resultTypes: ['violations'], selectors: false, preload: { assets: ['media'] } };

/** What axe finds: rule and element. */
export async function violations(page: Page, options: object = {}): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe);
  // What was dimmed until its numbers came is not readable before it has come back.
  const ended = `Promise.allSettled(
    document.getAnimations().filter((each) => each instanceof CSSTransition).map((each) => each.finished),
  ).then(() => true)`;
  await page.evaluate<boolean>(ended);
  const asked = JSON.stringify({ ...spared, ...options });
  const found = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(`axe.run(${asked})`);
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 300)}`));
}

/** No finding of axe, nothing wider than the page, no head of a table wider than its column. `where` says in a failure which page it was. */
export async function expectSound(page: Page, where = page.url(), options: object = {}): Promise<void> {
  expect([where, await violations(page, options)]).toEqual([where, []]);
  const heads = await page.evaluate<string[]>(
    `[...document.querySelectorAll('thead th')].filter((head) => head.offsetParent && head.scrollWidth > head.clientWidth + 1 && getComputedStyle(head).overflow === 'visible').map((head) => head.textContent)`,
  );
  expect([where, heads]).toEqual([where, []]);
  const tooWide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  expect([where, Math.max(tooWide, 0)]).toEqual([where, 0]);
}

/** How screens are looked at: in each language once by light and once by dark, on a desk and on a phone. */
export const looks = [
  { locale: 'en', light: 1440, dark: 390 },
  { locale: 'pt-BR', light: 390, dark: 1440 },
] as const;

/** Looks at a page that is there by light and by dark, each at its width: a third of what it takes to load it again. */
export async function inBothThemes(
  page: Page,
  { light, dark }: (typeof looks)[number],
  check: (name: string) => Promise<void>,
): Promise<void> {
  for (const [colorScheme, width] of [['light', light] as const, ['dark', dark] as const]) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    // What is drawn by code is drawn again when it hears of it.
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)))');
    await check(`${colorScheme}, ${width} px`);
  }
}

/** Until React has taken over what the selector finds: before that keys are not heard, and presses wait. */
export function hydrated(page: Page, selector: string): Promise<boolean> {
  const isTaken = `Object.keys(document.querySelector(${JSON.stringify(selector)}) ?? {}).some((key) => key.startsWith('__react'))`;
  // Asked from outside: the page's own policy forbids what `waitForFunction` does.
  return eventually(`${selector} is taken over`, () => page.evaluate<boolean>(isTaken));
}

/** Without scripts: a page that came late asks for itself once more, whole, which would be in the way of what is done next. */
export async function settled(page: Page): Promise<void> {
  await page.locator('meta[http-equiv=refresh]').waitFor({ state: 'detached' });
  await page.waitForLoadState();
}

/** Opens a page whose code comes only when it is let, by what is given. It is there as soon as it could be seen, which its own first script comes before. */
export async function openWithoutCode(page: Page, address: string): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route(/\.js$/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(address, { waitUntil: 'commit' });
  await eventually('the page is there', () => page.evaluate<boolean>('"__q" in window'));
  return held.resolve;
}

/** Sums up the layout shifts that no input caused, in `window.shifted`; `window.whatShifted` says of what. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    interface Shift {
      value: number;
      hadRecentInput: boolean;
      sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
    }
    const shifts = window as unknown as { shifted: number; whatShifted: string[] };
    shifts.shifted = 0;
    shifts.whatShifted = [];
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as unknown as Shift[]) {
        if (hadRecentInput) continue;
        shifts.shifted += value;
        for (const { node, previousRect, currentRect } of sources)
          shifts.whatShifted.push(
            `${value.toFixed(4)}: ${node instanceof Element ? node.className : node?.textContent?.slice(0, 40)} ${JSON.stringify([previousRect, currentRect])}`,
          );
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}
