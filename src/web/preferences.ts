/** Theme and language chosen without JavaScript: a form sets the cookie that the pages read, and leads back. */
import { type Response, Router } from 'express';
import { formOf, leadTo, readForm } from './forms.ts';

/** @param appUrl cookies are marked secure by its scheme */
export function preferenceRoutes(appUrl: string): Router {
  const routes = Router();
  routes.post('/preferences', readForm, (req, res) => {
    const { theme, language, back } = formOf(req);
    if (theme === 'system') keep(res, 'luneta_theme', null, appUrl);
    if (theme === 'light' || theme === 'dark') keep(res, 'luneta_theme', theme, appUrl);
    if (language === 'en' || language === 'pt-BR') keep(res, 'luneta_lang', language, appUrl);
    leadTo(res, back);
  });
  return routes;
}

function keep(res: Response, name: string, value: string | null, appUrl: string): void {
  const options = { path: '/', sameSite: 'lax', secure: appUrl.startsWith('https:') } as const;
  if (value === null) res.clearCookie(name, options);
  else res.cookie(name, value, { ...options, maxAge: 31_536_000_000 });
}
