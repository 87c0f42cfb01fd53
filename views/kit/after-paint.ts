/** Longest wait for a frame, ms: a page that nobody sees draws none. */
const FRAME_MS = 50;

/** Runs once what has changed so far is drawn. */
export function afterPaint(run: () => void): void {
  let isRun = false;
  const once = () => {
    if (isRun) return;
    isRun = true;
    run();
  };
  requestAnimationFrame(() => setTimeout(once));
  setTimeout(once, FRAME_MS);
}
