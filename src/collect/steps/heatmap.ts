/**
 * The step that reads where a visitor clicked (`$$heatmap`) and how far they scrolled on the page before (`$prev_pageview_…` of views). Points
 * name neither person nor visit. Those of bots and of the team are left out.
 */
import { eventMarks, type FinishedEvent, HEATMAP, type HeatmapKind, type HeatmapPoint } from '#src/events/contract.ts';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import type { ProjectSettings } from '#src/projects/contract.ts';
import type { DropReason } from '../contract.ts';
import { isObject } from '../envelope.ts';
import { type Draft, PERSONLESS, type StepContext } from './draft.ts';

const kinds: Readonly<Record<string, HeatmapKind>> = { click: 'click', rageclick: 'rage', deadclick: 'dead' };

/** Of one event: a client sends what happened in five seconds. */
const MAX_POINTS = 300;
const MAX_PAGE = 400;
const MAX_HOST = 255;
const MAX_WIDTH = 20_000;
const MAX_Y = 200_000;
const THOUSAND = 1000;

export function putHeatmap(draft: Draft, { project }: StepContext): null {
  const isOnly = draft.event === HEATMAP;
  if (isOnly) {
    draft.properties = {};
    draft.groups = {};
    draft.person = PERSONLESS;
  }
  if (!project.settings.heatmaps || draft.marks & eventMarks.bot) return null;
  const points = isOnly ? clicksIn(draft.sent) : scrollIn(draft.sent);
  if (points.length > 0) draft.heatmap = points;
  return null;
}

/** Why an event that was finished without its project's settings is not stored; null when it is. */
export function dropHeatmap({ event }: FinishedEvent, { heatmaps }: ProjectSettings): DropReason | null {
  return event === HEATMAP && !heatmaps ? 'heatmap' : null;
}

/** The event without points that its project does not want. */
export function withHeatmapOf(event: FinishedEvent, { heatmaps }: ProjectSettings): FinishedEvent {
  if (event.heatmap === undefined || (heatmaps && !(event.marks & eventMarks.bot))) return event;
  const { heatmap: _, ...others } = event;
  return others;
}

/** `$heatmap_data` has points by the address of the page: `{x, y, target_fixed, type}`, with what is scrolled included unless it is fixed. */
function clicksIn(sent: JsonObject): HeatmapPoint[] {
  const width = widthIn(sent);
  const data = sent['$heatmap_data'];
  if (width === null || !isObject(data)) return [];
  const points: HeatmapPoint[] = [];
  for (const [address, list] of Object.entries(data)) {
    const page = pageOf(address);
    if (page === null || !Array.isArray(list)) continue;
    for (const each of list) {
      const kind = isObject(each) && typeof each['type'] === 'string' ? kinds[each['type']] : undefined;
      if (kind === undefined || !isObject(each) || points.length >= MAX_POINTS) continue;
      const [x, y] = [numberOf(each['x']), numberOf(each['y'])];
      if (x === null || y === null) continue;
      const part = Math.round(clamp(x / width, 1) * THOUSAND);
      points.push({
        ...page,
        kind,
        width,
        x: part,
        y: Math.round(clamp(y, MAX_Y)),
        fixed: each['target_fixed'] === true,
      });
    }
  }
  return points;
}

/** The next view, or leaving the page, says how much of the page before was seen. */
function scrollIn(sent: JsonObject): HeatmapPoint[] {
  const seen = sent['$prev_pageview_max_content_percentage'];
  if (typeof seen !== 'number' || !Number.isFinite(seen)) return [];
  const path = sent['$prev_pageview_pathname'];
  const host = sent['$host'];
  const width = widthIn(sent);
  if (typeof path !== 'string' || path === '' || width === null) return [];
  const page = textOf(path, MAX_PAGE);
  const y = Math.round(clamp(seen, 1) * THOUSAND);
  return [{ kind: 'scroll', host: textOf(String(host ?? ''), MAX_HOST), page, width, x: 0, y, fixed: false }];
}

function widthIn(sent: JsonObject): number | null {
  const width = numberOf(sent['$viewport_width']);
  return width === null || width < 1 || width > MAX_WIDTH ? null : Math.round(width);
}

/** Path and route of an address. Queries may name people, and are the same page. */
function pageOf(address: string): Pick<HeatmapPoint, 'host' | 'page'> | null {
  const url = URL.parse(address);
  if (url === null || !url.protocol.startsWith('http')) return null;
  const route = /^#!?(\/[^?#]*)/.exec(url.hash)?.[1];
  const page = route === undefined ? url.pathname : `${url.pathname}#${route}`;
  return { host: textOf(url.host, MAX_HOST), page: textOf(page, MAX_PAGE) };
}

function textOf(text: string, length: number): string {
  return text.slice(0, length).toWellFormed().replaceAll('\0', '');
}

function numberOf(value: JsonValue | undefined): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function clamp(value: number, most: number): number {
  return Math.min(most, Math.max(0, value));
}
