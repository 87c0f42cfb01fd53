/**
 * Heat over a page: a recording of it is drawn in the frame of the player, and scrolled with the heat. Without a recording the heat stands on an
 * empty page of the same size.
 */
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import type { Heatmap, HeatmapRecording } from '#src/replays/heatmaps/contract.ts';
import type { HeatmapShow, WidthClass } from '#src/replays/heatmaps/values.ts';
import { replayOf } from '#views/event/WatchReplay.tsx';
import { Link } from '#views/kit/Link.tsx';
import { heatmapWords } from '#views/words/heatmaps.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Heatmaps.module.css';
import { colorIn, drawClicks, drawScroll, type HeatView, heatOf } from './heat.ts';
import { type DrawnPage, drawPage } from './page-in-recording.ts';
import { createRecording, fetchFrom } from './recording.ts';
import { useRoom } from './use-room.ts';

export interface HeatmapStageProps {
  project: string;
  map: Heatmap;
  show: HeatmapShow;
  width: WidthClass;
  /** Null: none shows the page, or the reader may not watch. */
  recording: HeatmapRecording | null;
  mayWatch: boolean;
  timeZone: string;
  /** Called when a recording is seen. */
  onSeen(session: string): void;
}

type Drawing = { state: 'loading' | 'none' | 'failed' } | { state: 'drawn'; page: DrawnPage };

/** Of a page without a recording, CSS px. */
const WIDTHS: Record<WidthClass, number> = { desktop: 1280, tablet: 820, phone: 390 };
const MIN_HEIGHT = 900;

const loadReplayer = async () => (await import('#views/areas/replayer.ts')).Replayer;

export function HeatmapStage(props: HeatmapStageProps) {
  const { project, map, show, width, recording, onSeen } = props;
  const own = usePart(heatmapWords);
  const { format } = useWords();
  const frame = useRef<HTMLIFrameElement>(null);
  const scroller = useRef<HTMLElement>(null);
  const tall = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const legend = useRef<HTMLSpanElement>(null);
  const drawing = useRecordedPage(frame, project, recording, onSeen);
  const room = useRoom(scroller);
  const page = drawing.state === 'drawn' ? drawing.page : null;

  useEffect(() => {
    const [box, inner, surface] = [scroller.current, tall.current, canvas.current];
    // Without any room, there is nothing to see.
    if (!box || !inner || !surface || !room?.width || drawing.state === 'loading') return;
    const size = sizeOf(page, map, WIDTHS[width]);
    const scale = Math.min(1, room.width / size.width);
    const seen = room.height / scale;
    layOut({ frame: frame.current, inner, surface, page }, { ...size, scale, seen });
    const colors = [...(legend.current?.querySelectorAll('i') ?? [])].map((each) =>
      colorIn(getComputedStyle(each).backgroundColor),
    );
    const heat = show === 'scroll' ? null : heatOf(map.cells, { ...size, seen }, colors);
    const draw = () => {
      const top = box.scrollTop / scale;
      page?.document.defaultView?.scrollTo(0, top);
      const view: HeatView = { ...size, top, seen, scale };
      if (heat !== null) drawClicks(surface, heat, view);
      else drawScroll(surface, map.reached, view, colors, (share) => own.reached(`${format.number(share * 100)}%`));
    };
    draw();
    box.addEventListener('scroll', draw, { passive: true });
    return () => box.removeEventListener('scroll', draw);
  }, [room, page, drawing.state, map, show, width, own, format]);

  return (
    <div className={css['stage']}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keys */}
      <section ref={scroller} className={css['scroller']} tabIndex={0} aria-label={own.stage(map.page ?? '')}>
        <div ref={tall} className={css['tall']}>
          <div className={css['seen']}>
            {recording !== null && (
              <iframe
                ref={frame}
                key={recording.session}
                src="/replay-stage"
                title={own.stage(map.page ?? '')}
                sandbox="allow-same-origin"
                inert
                className={css['frame']}
              />
            )}
            <canvas ref={canvas} className={css['heat']} />
          </div>
        </div>
      </section>
      <div className={css['foot']}>
        <Legend swatches={legend} map={map} show={show} />
        <Source {...props} drawing={drawing} />
      </div>
    </div>
  );
}

function Legend({
  swatches,
  map,
  show,
}: { swatches: RefObject<HTMLSpanElement | null> } & Pick<HeatmapStageProps, 'map' | 'show'>) {
  const own = usePart(heatmapWords);
  const { format } = useWords();
  const [most] = map.cells;
  return (
    <p className={css['legend']}>
      <span>{show === 'scroll' ? own.noneReached : own.few}</span>
      <span ref={swatches} className={css['swatches']} aria-hidden="true">
        <i />
        <i />
        <i />
        <i />
      </span>
      <span>{show === 'scroll' ? own.allReached : own.many}</span>
      {show !== 'scroll' && most !== undefined && (
        <span className="dim">{own.scale(own.clicks(most.count, format.number(most.count)))}</span>
      )}
      {map.isCut && <span className="dim">{own.cut(format.number(map.cells.length))}</span>}
    </p>
  );
}

/** What the heat is drawn over. */
function Source({ project, recording, mayWatch, timeZone, drawing }: HeatmapStageProps & { drawing: Drawing }) {
  const own = usePart(heatmapWords);
  const { format } = useWords();
  let text: ReactNode = own.loading;
  if (!mayWatch) text = own.hidden;
  else if (drawing.state === 'failed') text = own.failed;
  else if (recording === null || drawing.state === 'none') text = own.noRecording;
  else if (drawing.state === 'drawn') {
    const { session, firstAt } = recording;
    text = (
      <>
        {own.over(format.dayTime(firstAt, timeZone))}{' '}
        <Link className={css['watch']} href={replayOf(project, session, drawing.page.at / 1000)}>
          {own.watch}
        </Link>
      </>
    );
  }
  return <p role="status">{text}</p>;
}

/** Draws the page as soon as its frame is there. */
function useRecordedPage(
  frame: RefObject<HTMLIFrameElement | null>,
  project: string,
  found: HeatmapRecording | null,
  onSeen: (session: string) => void,
): Drawing {
  const [drawing, setDrawing] = useState<Drawing>({ state: 'loading' });
  useEffect(() => {
    const element = frame.current;
    if (found === null || element === null) {
      setDrawing({ state: 'none' });
      return;
    }
    setDrawing({ state: 'loading' });
    const address = `/project/${encodeURIComponent(project)}/replay/${found.session}/blocks`;
    const recording = createRecording(found.blocks, fetchFrom(address), false);
    let isOver = false;
    let begun = false;
    let drawn: DrawnPage | null = null;
    const begin = async () => {
      const stage = element.contentDocument?.getElementById('stage');
      if (!stage || begun) return;
      begun = true;
      try {
        drawn = await drawPage(await loadReplayer(), { recording, found, stage });
        if (isOver) return drawn?.remove();
        setDrawing(drawn === null ? { state: 'none' } : { state: 'drawn', page: drawn });
        if (drawn !== null) onSeen(found.session);
      } catch {
        if (!isOver) setDrawing({ state: 'failed' });
      }
    };
    const onLoad = () => void begin();
    // It may have come before this code.
    onLoad();
    element.addEventListener('load', onLoad);
    return () => {
      isOver = true;
      element.removeEventListener('load', onLoad);
      recording.stop();
      drawn?.remove();
    };
  }, [frame, project, found, onSeen]);
  return drawing;
}

/** Of the page, CSS px. */
function sizeOf(page: DrawnPage | null, { cells }: Heatmap, width: number): { width: number; height: number } {
  if (page === null) {
    const lowest = cells.reduce((most, { y }) => Math.max(most, y), 0);
    return { width, height: Math.max(MIN_HEIGHT, lowest + 200) };
  }
  const { documentElement, body } = page.document;
  return { width: page.width, height: Math.max(documentElement?.scrollHeight ?? 0, body?.scrollHeight ?? 0) };
}

interface Parts {
  frame: HTMLIFrameElement | null;
  inner: HTMLElement;
  surface: HTMLCanvasElement;
  page: DrawnPage | null;
}

function layOut(
  { frame, inner, surface, page }: Parts,
  { width, height, scale, seen }: { width: number; height: number; scale: number; seen: number },
): void {
  const [drawnWidth, drawnHeight] = [Math.round(width * scale), Math.round(seen * scale)];
  inner.style.width = `${drawnWidth}px`;
  inner.style.height = `${Math.max(Math.round(height * scale), drawnHeight)}px`;
  surface.width = drawnWidth;
  surface.height = drawnHeight;
  if (frame === null || page === null) return;
  Object.assign(frame.style, { width: `${drawnWidth}px`, height: `${drawnHeight}px` });
  // As high as what is seen, so that what is fixed on the page stands where visitors saw it.
  page.frame.setAttribute('height', String(Math.ceil(seen)));
  const wrapper = page.frame.parentElement;
  if (wrapper) wrapper.style.transform = `scale(${scale})`;
}
