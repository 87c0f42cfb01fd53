/** Runs a callback when a response has finished or was aborted. */
import type { Response } from 'express';

/** Runs immediately when the response is already closed. */
export function onResponseEnd(res: Response, run: () => void): void {
  if (res.closed || res.destroyed) run();
  else res.once('close', run);
}
