/** One window of a recording in the stage, drawn by the recorder's own replayer. */
import type { Replayer as RecordedPlayer } from 'posthog-js/rrweb';
import { CUSTOM, type RecordedEvent } from './recorded.ts';
import type { Span } from './timeline.ts';

export type PlayerCode = typeof RecordedPlayer;
export type DrawnWindow = RecordedPlayer;

export interface DrawParts {
  stage: HTMLElement;
  span: Span;
  events: readonly RecordedEvent[];
  speed: number;
  onSize(size: { width: number; height: number }): void;
}

const PAUSED = 'html.rrweb-paused *, html.rrweb-paused *::before, html.rrweb-paused *::after';

export function drawWindow(Replayer: PlayerCode, { stage, span, events, speed, onSize }: DrawParts): DrawnWindow {
  // All windows have the same beginning and end, so that a time is the same place in each.
  const all = [edgeAt(span.from), ...events, edgeAt(span.to + 1)];
  const drawn = new Replayer(all as never[], {
    root: stage,
    speed,
    mouseTail: false,
    triggerFocus: false,
    showWarning: false,
    insertStyleRules: [`${PAUSED} { animation-play-state: paused !important; }`],
    logger: { log: () => undefined, warn: () => undefined },
  });
  drawn.on('resize', (size) => onSize(size as { width: number; height: number }));
  return drawn;
}

/** It first takes the size of its first page, in a separate task. */
export async function whenSized(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Events of a window that is drawn. */
export function addEvents(drawn: DrawnWindow, events: readonly RecordedEvent[]): void {
  for (const event of events) drawn.addEvent(event as never);
}

export function edgeAt(timestamp: number): RecordedEvent {
  return { type: CUSTOM, data: { tag: 'edge', payload: {} }, timestamp };
}

export function removeWindow(drawn: DrawnWindow | null): void {
  try {
    drawn?.destroy();
  } catch {
    // The stage is gone already, and all that was drawn with it.
  }
}
