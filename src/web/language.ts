/** The language in which a request is answered. */
import type { Request } from 'express';
import { languageCookie } from '#views/settings.ts';
import { chooseLanguage } from '#views/words/catalogues.ts';
import type { Language } from '#views/words/en.ts';
import { cookieOf } from './cookies.ts';

/** The chosen language, else the browser's preference. */
export function languageOf(req: Request): Language {
  return chooseLanguage(cookieOf(req, languageCookie), req.get('accept-language'));
}
