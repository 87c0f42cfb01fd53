/**
 * `/reports/TOKEN`: links in mails of reports. Their readers need no session, and mail programs send the POST of RFC 8058 from elsewhere. And
 * reports as they are looked at before and after they are sent, for those who are signed in.
 */
import { type Request, type Response, Router } from 'express';
import { renderToStaticMarkup } from 'react-dom/server';
import { isAtLeast } from '#src/accounts/values.ts';
import { forbidden, invalid, notFound, unauthenticated } from '#src/kit/errors.ts';
import { isUuid } from '#src/kit/ids.ts';
import { jsonParameter, readParameter } from '#src/kit/json-parameter.ts';
import type { WrittenMail } from '#src/mail/mail.ts';
import { reportInput } from '#src/reports/contract.ts';
import type { ReportLink } from '#src/reports/reports.ts';
import type { Rooms } from '#src/trpc/context.ts';
import { projectOf } from '#src/trpc/procedure.ts';
import { ReportLinkPage, type ReportLinkState } from '#views/sharing/ReportLinkPage.tsx';
import { chooseLanguage } from '#views/words/catalogues.ts';
import type { Assets } from './assets.ts';
import { formOf, readForm } from './forms.ts';
import { pageFiles } from './page-files.ts';
import type { Sessions } from './session.ts';

/** Parts of the build whose style sheets the page needs. */
const PARTS = ['sharing'];

export interface ReportLinkParts {
  rooms: Pick<Rooms, 'reports' | 'limits'>;
  assets(): Assets;
}

/** Pages of links in mails. */
export function reportLinkRoutes({ rooms, assets }: ReportLinkParts): Router {
  const { reports, limits } = rooms;
  const routes = Router();

  routes.get('/reports/:token', async (req, res) => {
    const link = await find(req);
    send(req, res, link, link === null ? 'gone' : stateOf(link));
  });

  routes.post('/reports/:token', readForm, async (req, res) => {
    const link = await find(req);
    if (link === null) return send(req, res, link, 'gone');
    const { action } = formOf(req);
    if (link.kind === 'unsubscribe') {
      // With any body: RFC 8058 has several.
      await link.unsubscribe();
      return send(req, res, link, 'unsubscribed');
    }
    if (action === 'confirm') await link.confirm();
    else if (action === 'decline') await link.unsubscribe();
    else throw invalid('action', 'Choose an answer.');
    send(req, res, link, action === 'confirm' ? 'confirmed' : 'declined');
  });

  async function find(req: Request<{ token: string }>): Promise<ReportLink | null> {
    await limits.sharedPage(req.ip ?? '');
    return reports.link(req.params.token);
  }

  function send(req: Request, res: Response, link: ReportLink | null, state: ReportLinkState): void {
    const language = link?.language ?? chooseLanguage(undefined, req.get('accept-language'));
    const { styles, partStyles } = pageFiles(assets(), []);
    const page = (
      <ReportLinkPage
        state={state}
        {...(link !== null && { about: { project: link.project, ...link.report } })}
        language={language}
        path={req.path}
        styles={[...styles, ...PARTS.flatMap((part) => partStyles[part] ?? [])]}
      />
    );
    res
      .status(state === 'gone' ? 404 : 200)
      .set({
        'Content-Security-Policy':
          "default-src 'none'; object-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
        'Referrer-Policy': 'no-referrer',
        'Cache-Control': 'private, no-store',
      })
      .type('html')
      .send(`<!doctype html>${renderToStaticMarkup(page)}`);
  }

  return routes;
}

function stateOf({ kind, state }: ReportLink): ReportLinkState {
  if (kind === 'confirm') return 'confirm';
  return state === 'unsubscribed' ? 'unsubscribed' : 'unsubscribe';
}

export interface ReportPageParts {
  rooms: Pick<Rooms, 'reports' | 'projects' | 'mail' | 'limits'>;
  sessions: Pick<Sessions, 'readerOf' | 'sidOf'>;
}

/** `/project/:project/reports/preview?input=…` and `/team/:team/mail/:mail`: the mail itself, `?as=text` its text. */
export function reportPageRoutes({ rooms, sessions }: ReportPageParts): Router {
  const { reports, projects, limits, mail } = rooms;
  const routes = Router();

  routes.get('/project/:project/reports/preview', async (req: Request<{ project: string }>, res) => {
    const reader = sessions.readerOf(req);
    if (reader === null) throw unauthenticated();
    const found = await projectOf({ projects, reader }, req.params.project);
    if (found === null) throw notFound('project');
    const { subject, schedule } = readParameter('input', reportInput, jsonParameter('input', req.query['input']));
    await limits.calls(sessions.sidOf(req), 1);
    const giveBack = limits.heavy(sessions.sidOf(req), 1);
    try {
      const asker = { ...found, reader, language: reader.language };
      show(req, res, await reports.preview(asker, { subject, schedule }));
    } finally {
      giveBack();
    }
  });

  routes.get('/team/:team/mail/:mail', async (req: Request<{ team: string; mail: string }>, res) => {
    const reader = sessions.readerOf(req);
    if (reader === null) throw unauthenticated();
    const team = reader.teams.find(({ id }) => String(id) === req.params.team);
    if (team === undefined) throw notFound('mail');
    if (!isAtLeast(team.role, 'admin')) throw forbidden();
    if (!isUuid(req.params.mail)) throw notFound('mail');
    show(req, res, await mail.copy({ team: team.id, role: team.role, all: reader.operator }, req.params.mail));
  });

  return routes;
}

/** Inline styles and nothing else; links open beside the frame that it may be in. */
function show(req: Request, res: Response, { html, text }: WrittenMail): void {
  res.set({
    'Content-Security-Policy':
      "default-src 'none'; object-src 'none'; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox",
    'X-Frame-Options': 'SAMEORIGIN',
    'Cache-Control': 'private, no-store',
  });
  // A sandboxed document has an opaque origin; Chromium warns when it sends this header.
  res.removeHeader('Origin-Agent-Cluster');
  if (req.query['as'] === 'text') res.type('text/plain').send(text);
  else res.type('html').send(html.replace('<head>', '<head><base target="_blank">'));
}
