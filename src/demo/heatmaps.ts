/** Clicks of the sample shop's visitors as posthog-js sends them for heatmaps: on what is on the page, and sometimes on what does nothing. Pure. */
import type { JsonObject } from '#src/kit/json.ts';
import { dayMs } from '#src/kit/zone.ts';
import { createRandom, type Random } from './random.ts';
import { recordedPage } from './recorded-page.ts';
import { shop } from './shop.ts';
import { type Action, pathOf, type Visit } from './visits.ts';

/** Of so many days. */
const HEATMAP_DAYS = 14;
/** Half the height of the header, which does not scroll, and the place of its menu from the right. */
const HEADER = { y: 32, fromRight: 130 };
/** Height of a heading that looks like a link. */
const HEADING_Y = 118;
/** People don't click the same place twice. */
const SPREAD = 14;

type Kind = 'click' | 'rageclick' | 'deadclick';

/** The first moment from which clicks are sent, ms. */
export function clickedFrom(end: number): number {
  return end - HEATMAP_DAYS * dayMs;
}

/** One event for each page of a visit on which something was clicked. */
export function heatmapEvents(visit: Visit, token: string, end: number): JsonObject[] {
  const { actions, visitor, session, window } = visit;
  const { viewport, userAgent } = visitor.device;
  const random = createRandom(Number.parseInt(session.slice(-6), 16) + 7);
  return actions.flatMap((action, index) => {
    const { at, page, distinctId } = action;
    if (action.event !== '$pageview' || at > end - 10_000) return [];
    const isBroken = nextOf(actions, index)?.event === '$exception';
    const points = clicksOn(page, viewport, random, isBroken);
    if (points.length === 0) return [];
    const href = `https://${shop.host}${page}`;
    return {
      uuid: random.uuid(at),
      event: '$$heatmap',
      timestamp: new Date(at + 5_000).toISOString(),
      properties: {
        $heatmap_data: { [href]: points },
        $current_url: href,
        $host: shop.host,
        $pathname: pathOf(page),
        $viewport_width: viewport[0],
        $viewport_height: viewport[1],
        $raw_user_agent: userAgent,
        $lib: 'web',
        $session_id: session,
        $window_id: window,
        $process_person_profile: false,
        token,
        distinct_id: distinctId,
      },
    };
  });
}

function nextOf(actions: readonly Action[], index: number): Action | undefined {
  return actions.slice(index + 1).find(({ event }) => event === '$exception' || event === '$pageview');
}

function clicksOn(page: string, viewport: readonly [number, number], random: Random, isBroken: boolean): JsonObject[] {
  const { button, looked, fields } = recordedPage(page, viewport);
  const [width] = viewport;
  const points: JsonObject[] = [];
  const add = (type: Kind, { x, y }: { x: number; y: number }, fixed = false) => {
    const near = (value: number) => Math.max(0, Math.round(random.around(value, SPREAD / Math.max(1, value))));
    points.push({ x: Math.min(width - 1, near(x)), y: near(y), target_fixed: fixed, type });
  };
  for (const field of fields) if (random.chance(0.7)) add('click', field);
  if (random.chance(0.5)) add('click', button);
  const place = Math.floor(looked.length * random.next() ** 2);
  const card = looked[place];
  if (card !== undefined && random.chance(0.45)) add('click', card);
  if (random.chance(0.25)) add('click', { x: width - HEADER.fromRight, y: HEADER.y }, true);
  if (random.chance(0.06)) for (const type of ['click', 'deadclick'] as const) add(type, { x: button.x, y: HEADING_Y });
  if (isBroken) for (const type of ['click', 'click', 'rageclick', 'click'] as const) add(type, button);
  return points;
}
