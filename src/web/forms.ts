/** Forms that a page sends without its code: what they name, and where they lead. */
import express, { type Request, type Response } from 'express';
import { localPath } from './local-path.ts';

export const readForm = express.urlencoded({ extended: false, limit: '8kb', parameterLimit: 10 });

/** The form that `readForm` parsed; repeated names are lists. */
export function formOf(req: Request): Record<string, unknown> {
  return (req.body ?? {}) as Record<string, unknown>;
}

/** @param wanted where the form asks to be led: only to pages of ours */
export function leadTo(res: Response, wanted: unknown): void {
  res.set('Cache-Control', 'no-store').redirect(303, localPath(wanted));
}
