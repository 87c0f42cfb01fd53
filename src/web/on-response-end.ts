/** What is to be done when an answer is over, however it ends. */
import type { Response } from 'express';

/** At once when the client is gone already: what has closed does not close again. */
export function onResponseEnd(res: Response, run: () => void): void {
  if (res.closed || res.destroyed) run();
  else res.once('close', run);
}
