/** A page of a recording, drawn as it stood a few seconds after it was opened. Times are ms by our clock. */
import type { HeatmapRecording } from '#src/replays/heatmaps/contract.ts';
import { type DrawnWindow, drawWindow, type PlayerCode, removeWindow, whenSized } from './draw.ts';
import { CUSTOM, fieldOf, META, type RecordedEvent, textOf } from './recorded.ts';
import type { Recording } from './recording.ts';
import { windowsOf } from './timeline.ts';

export interface DrawnPage {
  /** The recorded page. */
  document: Document;
  /** Where it is drawn. */
  frame: HTMLIFrameElement;
  /** Of the viewport, CSS px. */
  width: number;
  /** After the beginning of the recording. */
  at: number;
  remove(): void;
}

/** What loads late is there by then. */
const SETTLE_MS = 4_000;
const pageTags = new Set(['$pageview', '$url_changed']);

/** @returns null when none of the pages is in the recording */
export async function drawPage(
  Replayer: PlayerCode,
  { recording, found, stage }: { recording: Recording; found: HeatmapRecording; stage: HTMLElement },
): Promise<DrawnPage | null> {
  const place = await findPage(recording, found);
  if (place === null) return null;
  const { window, at } = place;
  await recording.prepare(window, at);
  const span = { from: found.firstAt, to: found.lastAt };
  let size = { width: 0, height: 0 };
  const onSize = (next: typeof size) => {
    size = next;
  };
  const drawn: DrawnWindow = drawWindow(Replayer, {
    stage,
    span,
    events: recording.eventsOf(window),
    speed: 1,
    onSize,
  });
  await whenSized();
  drawn.pause(Math.max(0, at - span.from));
  const frame = stage.querySelector<HTMLIFrameElement>('.replayer-wrapper iframe');
  const recorded = frame?.contentDocument;
  if (!frame || !recorded) return null;
  const mouse = stage.querySelector<HTMLElement>('.replayer-mouse');
  if (mouse) mouse.style.display = 'none';
  const width = size.width || Number(frame.getAttribute('width'));
  return { document: recorded, frame, width, at: at - span.from, remove: () => removeWindow(drawn) };
}

interface Place {
  window: string;
  at: number;
}

/** Loads the recording until one of the pages was open for a while. */
async function findPage(recording: Recording, { paths, firstAt }: HeatmapRecording): Promise<Place | null> {
  const windows = windowsOf(recording.blocks).map(({ id }) => id);
  for (let before = -1; before !== recording.loadedTo(firstAt); ) {
    before = recording.loadedTo(firstAt);
    const place = windows.map((window) => placeIn(recording, window, paths)).find((each) => each !== null);
    if (place && (place.at < before || before === Number.POSITIVE_INFINITY)) return place;
    if (before !== Number.POSITIVE_INFINITY) await recording.loadAhead(firstAt);
  }
  return null;
}

function placeIn(recording: Recording, window: string, paths: readonly string[]): Place | null {
  const events = recording.eventsOf(window);
  const opened = events.findIndex((event) => paths.includes(pathOf(event) ?? ''));
  const begin = events[opened];
  if (begin === undefined) return null;
  const next = events.slice(opened + 1).find((event) => {
    const path = pathOf(event);
    return path !== null && path !== pathOf(begin);
  });
  const settled = begin.timestamp + SETTLE_MS;
  const last = events.at(-1)?.timestamp ?? settled;
  return { window, at: Math.min(settled, next === undefined ? Math.max(last, begin.timestamp) : next.timestamp - 1) };
}

/** Path of the page that an event opens; null: it opens none. */
function pathOf({ type, data }: RecordedEvent): string | null {
  if (type !== META && !(type === CUSTOM && pageTags.has(textOf(fieldOf(data, 'tag'))))) return null;
  const href = textOf(fieldOf(type === META ? data : fieldOf(data, 'payload'), 'href'));
  return URL.parse(href)?.pathname ?? null;
}
