/** The page while the renderer is unavailable: without styles, scripts or other requests. */
import type { Request } from 'express';
import { unavailableWords } from '#views/words/unavailable.ts';
import { languageOf } from './language.ts';

/** The same address is tried again by itself, and by the link. */
export function unavailablePage(req: Request): string {
  const language = languageOf(req);
  const { title, text, again } = unavailableWords[language];
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta http-equiv="refresh" content="3"><title>${title}</title></head><body><main><h1>${title}</h1><p>${text}</p><p><a href="">${again}</a></p></main></body></html>`;
}
