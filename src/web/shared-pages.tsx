/**
 * `/shared/TOKEN`: the page of a shared link. It is drawn whole, runs no script, and asks for nothing but what its link shows
 * (`sharing/shared.ts`). No cookie is read or set but the one that remembers a right password, for this page alone.
 */
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { QueryClient } from '@tanstack/react-query';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import { type Request, type Response, Router } from 'express';
import { isbot } from 'isbot';
import { renderToPipeableStream } from 'react-dom/server';
import { type Config, publicSettings } from '#src/config.ts';
import { AppError } from '#src/kit/errors.ts';
import type { AppRouter } from '#src/router.ts';
import { conditionsOfReader, dimensionOf, readerFilters } from '#src/sharing/filters/values.ts';
import type { SharedView } from '#src/sharing/shared.ts';
import type { OpenLink } from '#src/sharing/sharing.ts';
import { MAX_FILTER_CHOICES } from '#src/sharing/values.ts';
import type { Rooms } from '#src/trpc/context.ts';
import { optionsOf } from '#views/dashboards/tile-options.ts';
import { CUSTOM, questionOf } from '#views/dashboards/tile-question.ts';
import { bothFilters } from '#views/question/filters/both.ts';
import { breakdownInput } from '#views/question/inputs.ts';
import type { Boot } from '#views/settings.ts';
import { SHARED } from '#views/sharing/SharedDashboard.tsx';
import { type SharedContent, SharedPage } from '#views/sharing/SharedPage.tsx';
import { chooseLanguage } from '#views/words/catalogues.ts';
import { en, type Language } from '#views/words/en.ts';
import { ptBR } from '#views/words/pt-br.ts';
import type { Assets } from './assets.ts';
import { cookieOf } from './cookies.ts';
import { chooseEncoding, type Encoding } from './encoding.ts';
import { formOf, readForm } from './forms.ts';
import { createKeptPages } from './kept-pages.ts';
import { pageFiles } from './page-files.ts';
import { createPageClient, noClient } from './page-queries.ts';
import { createPageTurns } from './page-turns.ts';
import type { Report } from './report.ts';
import { requestIdOf } from './request-log.ts';
import { compress } from './sink.ts';

export interface SharedPagesParts {
  config: Config;
  rooms: Pick<Rooms, 'sharing' | 'limits' | 'deps'>;
  assets(): Assets;
  report: Report;
}

const TICKET = 'luneta_shared';
const TICKET_SEC = 4 * 3_600;
/** Parts of the build whose style sheets the page needs. */
const PARTS = ['dashboard-tiles', 'filter-bar', 'sharing'];
const MAX_USER_AGENT = 1_000;

interface Drawn {
  link: OpenLink | null;
  content: SharedContent;
  queryClient?: QueryClient;
}

export function sharedPageRoutes(parts: SharedPagesParts): Router {
  const { config, rooms } = parts;
  const { sharing, limits, deps } = rooms;
  const turns = createPageTurns();
  const kept = createKeptPages(deps.clock);
  const isSecure = config.PUBLIC_APP_URL.startsWith('https:');
  const routes = Router();

  routes.get('/shared/:token', async (req, res) => {
    const link = await begin(req, res);
    if (link === null) return send(req, res, 404, { link, content: { kind: 'gone' } });
    if (await link.isLocked(cookieOf(req, TICKET) ?? '')) {
      return send(req, res, 200, { link, content: { kind: 'password', isWrong: false } });
    }
    await show(req, res, link);
  });

  routes.post('/shared/:token', readForm, async (req, res) => {
    const link = await begin(req, res);
    if (link === null) return send(req, res, 404, { link, content: { kind: 'gone' } });
    const { password } = formOf(req);
    const ticket = typeof password === 'string' ? await link.unlock(password, req.ip ?? '') : null;
    if (ticket === null) return send(req, res, 403, { link, content: { kind: 'password', isWrong: true } });
    res.cookie(TICKET, ticket, {
      path: req.path,
      httpOnly: true,
      maxAge: TICKET_SEC * 1_000,
      // Within frames of other sites only over HTTPS; elsewhere the answer to the form shows the page all the same.
      ...(isSecure ? { secure: true, sameSite: 'none', partitioned: true } : { sameSite: 'lax' }),
    });
    await show(req, res, link);
  });

  async function begin(req: Request<{ token: string }>, res: Response): Promise<OpenLink | null> {
    await limits.sharedPage(req.ip ?? '');
    const link = await sharing.find(req.params.token);
    setHeaders(res, link?.origins ?? []);
    return link;
  }

  async function show(req: Request, res: Response, link: OpenLink): Promise<void> {
    const view = await link.view().catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'not_found') return null;
      throw error;
    });
    if (view === null) return send(req, res, 404, { link, content: { kind: 'gone' } });
    await sendView(req, res, link, view);
    const isRead = req.method !== 'HEAD' && req.get('sec-purpose') === undefined;
    if (!isRead || isbot((req.get('user-agent') ?? '').slice(0, MAX_USER_AGENT))) return;
    link.viewed();
  }

  /** Many look at a shared page at a time. */
  async function sendView(req: Request, res: Response, link: OpenLink, view: SharedView): Promise<void> {
    const { open, filters, theme } = link;
    const encoding = chooseEncoding(req);
    const asked = [open ? rangeIn(req).toString() : '', readerFilters(searchOf(req), filters)];
    const page = [req.path, view, open, filters, theme, languageOf(req, link), encoding, asked];
    const body = await kept.body(page, async () => {
      const { queryClient, content } = await count(req, link, view);
      const drawn = await bodyOf(req, res, { link, content, queryClient }, encoding);
      return { body: drawn, isWhole: content.view.failed.size === 0 };
    });
    sendBody(res, 200, body, encoding);
  }

  /** Asks for the numbers of all tiles. */
  async function count(req: Request, link: OpenLink, view: SharedView) {
    const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
    const client = createPageClient((path, input) => view.query(path, input));
    const trpc = createTRPCOptionsProxy<AppRouter>({ client, queryClient });
    const asked = questionOf(link.open ? rangeIn(req) : new URLSearchParams(), view.content);
    // In any range the filters are those of the dashboard, and what the link lets readers add to them.
    const saved = { ...asked, filters: view.content.filters ?? null };
    const chosen = readerFilters(searchOf(req), link.filters);
    const joined = bothFilters(saved.filters, conditionsOfReader(chosen));
    const question = joined === undefined ? saved : { ...saved, filters: joined };
    const { tiles } = view.content;
    const failed = new Set<string>();
    await Promise.all(
      tiles.map(async (tile) => {
        const options = optionsOf(trpc, SHARED, tile, { insights: view.insights, question, goals: view.goals });
        if (options !== null) await queryClient.fetchQuery(options).catch(() => failed.add(tile.id));
      }),
    );
    const choices = await Promise.all(
      link.filters.map(async (field) => {
        const input = breakdownInput(SHARED, saved, dimensionOf(field), MAX_FILTER_CHOICES);
        const options = trpc.insights.query.breakdown.queryOptions(input);
        const rows = await queryClient.fetchQuery(options).then(
          (table) => table.rows,
          () => [],
        );
        const value = chosen.find((each) => each.field === field)?.value ?? null;
        return {
          field,
          value,
          values: [...new Set([...rows.map(([text]) => text), ...(value === null ? [] : [value])])],
        };
      }),
    );
    const { name, description, insights, goals, timeZone, weekStart } = view;
    const shown = { name, description, insights, goals, timeZone, weekStart, tiles, question, failed };
    const content = {
      kind: 'view' as const,
      view: { ...shown, choices, isOpen: link.open, path: req.path, at: deps.clock.now() },
    };
    return { queryClient, content };
  }

  async function send(req: Request, res: Response, status: number, drawn: Drawn): Promise<void> {
    if (res.destroyed) return;
    const encoding = chooseEncoding(req);
    sendBody(res, status, await bodyOf(req, res, drawn, encoding), encoding);
  }

  async function bodyOf(req: Request, res: Response, drawn: Drawn, encoding: Encoding | null): Promise<Buffer> {
    const html = await turns.begin(() => draw(parts, req, res, drawn));
    drawn.queryClient?.clear();
    return compress(Buffer.from(html), encoding);
  }

  return routes;
}

async function draw(
  { config, assets, report, rooms }: SharedPagesParts,
  req: Request,
  res: Response,
  { link, content, queryClient }: Drawn,
): Promise<string> {
  const language = languageOf(req, link);
  const { styles, partStyles } = pageFiles(assets(), []);
  const boot: Boot = {
    settings: { PUBLIC_APP_URL: publicSettings(config).PUBLIC_APP_URL },
    token: null,
    reader: null,
    collects: true,
    lastProject: null,
    shell: false,
    dev: false,
    language,
    theme: null,
    now: rooms.deps.clock.now(),
    styles,
    routeStyles: {},
    partStyles,
  };
  const stream = await new Promise<PassThrough>((resolve, reject) => {
    const { pipe } = renderToPipeableStream(
      <SharedPage
        boot={boot}
        words={language === 'pt-BR' ? ptBR : en}
        queryClient={queryClient ?? new QueryClient()}
        client={noClient}
        path={req.path}
        theme={link?.theme ?? 'system'}
        styles={PARTS.flatMap((part) => partStyles[part] ?? [])}
        content={content}
      />,
      {
        progressiveChunkSize: Number.MAX_SAFE_INTEGER,
        onAllReady: () => resolve(pipe(new PassThrough())),
        onShellError: reject,
        onError: (error) => void report(error, aboutOf(res), 'failed to render a part of a shared page'),
      },
    );
  });
  return text(stream);
}

function aboutOf(res: Response): { requestId: string; path: string } {
  return { requestId: requestIdOf(res), path: '/shared/:token' };
}

function languageOf(req: Request, link: OpenLink | null): Language {
  return link?.language ?? chooseLanguage(undefined, req.get('accept-language'));
}

function sendBody(res: Response, status: number, body: Buffer, encoding: Encoding | null): void {
  if (encoding !== null) res.set('Content-Encoding', encoding);
  res.status(status).type('html').send(body);
}

function searchOf(req: Request): URLSearchParams {
  return new URLSearchParams(req.originalUrl.split('?')[1] ?? '');
}

/** Of what the address asks, readers may choose these. */
function rangeIn(req: Request): URLSearchParams {
  const asked = searchOf(req);
  const names = [CUSTOM, 'range', 'from', 'to', 'compare', 'compareFrom', 'compareTo'];
  return new URLSearchParams([...asked].filter(([name]) => names.includes(name)));
}

/** No script, and no frame but of the sites that the link names. */
function setHeaders(res: Response, origins: readonly string[]): void {
  const policy = [
    "default-src 'none'",
    "object-src 'none'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${origins.length === 0 ? "'none'" : origins.join(' ')}`,
  ];
  res.set({
    'Content-Security-Policy': policy.join('; '),
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Cache-Control': 'private, no-store',
    Vary: 'Accept-Encoding, Accept-Language',
  });
  if (origins.length > 0) res.removeHeader('X-Frame-Options');
}
