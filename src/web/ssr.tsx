/**
 * Streaming server-side rendering of screens. Before the first byte: routing, redirect or error, and the start of the
 * screen's queries; critical ones are awaited briefly, so that the first paint has data. Then the
 * markup, followed by late results (views/wire.ts). The only file here that imports screens.
 */
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { QueryClient } from '@tanstack/react-query';
import type { AnyTRPCRouter, TRPCError } from '@trpc/server';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { isbot } from 'isbot';
import { renderToPipeableStream, renderToStaticMarkup } from 'react-dom/server';
import { type Config, ingestMode, publicSettings } from '#src/config.ts';
import { AppError, busy } from '#src/kit/errors.ts';
import { isLate } from '#src/kit/late.ts';
import type { AppRouter } from '#src/router.ts';
import type { Context, Rooms } from '#src/trpc/context.ts';
import { asSafeError } from '#src/trpc/procedure.ts';
import { frameFollowUps } from '#views/frame/queries.ts';
import { holdEarlyPresses } from '#views/kit/early-press.ts';
import { noteParts } from '#views/known.ts';
import { propsOf } from '#views/navigation.tsx';
import { ProblemPage } from '#views/problem.tsx';
import { matchPath, type Route } from '#views/routing.ts';
import type { ScreenQuery } from '#views/screen.ts';
import { type Boot, projectCookie, type Theme, themeCookie } from '#views/settings.ts';
import { Shell } from '#views/shell.tsx';
import { StreamedError } from '#views/trpc.ts';
import { type Batch, createAnnouncer, scriptJson } from '#views/wire.ts';
import { en, type Language, type Words } from '#views/words/en.ts';
import { ptBR } from '#views/words/pt-br.ts';
import type { Assets } from './assets.ts';
import { callerOf } from './calls.ts';
import { cookieOf } from './cookies.ts';
import { chooseEncoding } from './encoding.ts';
import type { Problem } from './errors.ts';
import { hashPolicy, nonceOf } from './headers.ts';
import { languageOf } from './language.ts';
import { pageFiles } from './page-files.ts';
import { type Plan, planPage, searchOf } from './page-plan.ts';
import { createPageQueries, noClient } from './page-queries.ts';
import { createPageTurns, type PageTurns } from './page-turns.ts';
import type { Report } from './report.ts';
import { requestIdOf, waitedMs } from './request-log.ts';
import type { Sessions } from './session.ts';
import { compress, createSink } from './sink.ts';

export interface PageParts {
  config: Config;
  rooms: Rooms;
  router: AnyTRPCRouter;
  routes: readonly Route[];
  assets(): Assets;
  /** Token of the project that our own screens report to; null: they do not. */
  token(): string | null;
  /** True under the watching build: pages reload themselves. */
  dev: boolean;
  report: Report;
  sessions: Pick<Sessions, 'readerOf' | 'sidOf' | 'provedAtOf'>;
  access: Context['access'];
  /** Called when a screen is about to be drawn. */
  onScreen?: (() => void) | undefined;
  limits?: Partial<PageLimits>;
}

export interface PageLimits {
  /** Timeout of the session and status look-ups, ms. */
  statusMs: number;
  /** How long the first byte waits for critical queries. */
  criticalMs: number;
  /** After this the page is ended as it is; the browser asks for the rest. */
  wholeMs: number;
}

const defaultLimits: PageLimits = { statusMs: 4_000, criticalMs: 100, wholeMs: 10_000 };

/** Maximum parsed length of a user agent. */
const MAX_USER_AGENT = 1_000;

/** However long it took to find out who asks, the status may take this long. */
const MIN_STATUS_MS = 500;

/** Answers every address that is a screen; passes on what is not. */
export function createPages(parts: PageParts): RequestHandler {
  const turns = createPageTurns();
  const draw = createDrawing(parts, turns);
  const sendShell = createShells(parts);
  const { clock } = parts.rooms.deps;
  const { statusMs } = { ...defaultLimits, ...parts.limits };

  return (req, res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') return next();
    if (req.path === '/_app') return sendShell(req, res);
    if (matchPath(parts.routes, req.path) === null) return next();
    const askedMs = clock.elapsed();
    return turns.begin(() => {
      if (clock.elapsed() - askedMs > statusMs) throw busy('Too many page requests. Try again in a moment.', 5);
      return answer(req, res, next);
    });
  };

  async function answer(req: Request, res: Response, next: NextFunction): Promise<void> {
    // Hung up while others had their turn.
    if (res.destroyed) return;
    const controller = new AbortController();
    const { signal } = controller;
    res.once('close', () => res.writableFinished || controller.abort());
    const ctx: Context = {
      ...parts.rooms,
      requestId: requestIdOf(res),
      signal,
      language: languageOf(req),
      ...callerOf(req, parts.sessions),
      access: parts.access,
    };
    const planning = planPage(parts, req, ctx);
    const patience = statusMs - waitedMs(res, clock);
    if (await isLate(planning, Math.max(patience, MIN_STATUS_MS))) {
      throw busy('The server took too long to answer. Try again in a moment.', 5);
    }
    const plan = await planning;
    if (plan === null) return next();
    res.set({ 'Cache-Control': 'private, no-store', Vary: 'Accept-Encoding' });
    if ('redirect' in plan) return res.redirect(302, plan.redirect);
    if (plan.match.route.holdsSecret) res.set('Referrer-Policy', 'no-referrer');
    res.status(plan.gone ? 410 : 200).type('html');
    if (req.method === 'HEAD') {
      res.end();
      return;
    }
    parts.onScreen?.();
    await draw(req, res, { ...plan, ctx, controller }, next);
  }
}

interface Screening extends Plan {
  ctx: Context;
  /** Controller of the context's signal. */
  controller: AbortController;
}

/** Draws one page and streams it. */
function createDrawing(parts: PageParts, turns: PageTurns) {
  const { rooms, router, routes } = parts;
  const { clock } = rooms.deps;
  const { criticalMs, wholeMs } = { ...defaultLimits, ...parts.limits };
  const bootOf = createBoot(parts);

  return async (req: Request, res: Response, screening: Screening, next: (error: unknown) => void) => {
    const { match, screen, ctx, controller } = screening;
    const [nonce, words, search] = [nonceOf(res), wordsOf(req), searchOf(req)];
    const about = { requestId: ctx.requestId, path: match.route.path };
    const files = pageFiles(parts.assets(), routes);
    let expired = false;

    const report = (error: unknown, message: string) =>
      controller.signal.aborted || parts.report(error, about, message);
    /** The page gets only the code of a failed query. */
    const withoutText = (error: TRPCError) => {
      const { code } = asSafeError(error);
      if (code === 'internal') report(error.cause ?? error, 'page query failed');
      return new StreamedError(code);
    };

    const announcer = createAnnouncer(() => sink.more());
    const sink = createSink(res, chooseEncoding(req), {
      take: () => lateScript(nonce, [...announcer.drain(), ...(expired ? [{ z: 'timeout' } as const] : [])]),
      done: () => expired || announcer.open === 0,
    });
    const queries = createPageQueries(router, ctx, announcer.follow, withoutText, turns.answers());
    const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
    noteParts(queryClient, announcer.note);
    const { client } = queries;
    const trpc = createTRPCOptionsProxy<AppRouter>({ client, queryClient });

    const drawn = Promise.withResolvers<void>();
    const ask = async (asked: ScreenQuery[]) => {
      for (const { options, critical } of asked) queries.start(options.queryKey, critical);
      await queries.critical(criticalMs);
      queries.fill(queryClient, drawn.promise);
    };
    const props = propsOf(match, search);
    await ask(screen.queries(trpc, props));
    const followUps = [
      ...(match.route.frame === 'project' ? frameFollowUps(trpc, props, lastProjectOf(req), queryClient) : []),
      ...(screen.followUps?.(trpc, props, queryClient) ?? []),
    ];
    if (followUps.length > 0) await ask(followUps);

    await turns.draw(() => {
      if (res.destroyed) return;
      const boot = bootOf(req, words.language, clock.now(), ctx.reader?.uuid ?? null);
      // Results that settled meanwhile.
      queries.fill(queryClient, drawn.promise);
      const page: Batch = [{ b: boot }, ...announcer.drain()];
      const whole = req.query['wait'] === '1' || isbot((req.get('user-agent') ?? '').slice(0, MAX_USER_AGENT));
      let isRefused = false;
      const refuse = (error: unknown) => {
        if (isRefused || res.destroyed) return;
        isRefused = true;
        next(error);
      };
      const begin = () => {
        if (!res.destroyed && !isRefused) pipe(sink.destination);
      };
      const { pipe, abort } = renderToPipeableStream(
        <Shell
          boot={boot}
          words={words}
          place={{ path: req.path, search, key: '', by: 'load' }}
          routes={routes}
          queryClient={queryClient}
          client={client}
          preload={[...files.preload(match.route, words.language), ...files.preloadPart(match.route)]}
          nonce={nonce}
          first={<script nonce={nonce}>{holdEarlyPresses}</script>}
          waitAddress={whole || announcer.open === 0 ? undefined : waitAddress(req.path, search)}
        />,
        {
          nonce,
          bootstrapScriptContent: `self.__q=[${scriptJson(page)}]`,
          bootstrapModules: [files.entry],
          // Above some kB React would move finished parts behind the shell, where only a script can show them.
          progressiveChunkSize: Number.MAX_SAFE_INTEGER,
          onShellReady: () => whole || begin(),
          onAllReady: () => whole && begin(),
          onShellError: refuse,
          onError(error) {
            if (!(error instanceof StreamedError)) report(error, 'failed to render a part of a page');
            return about.requestId;
          },
        },
      );
      // React draws the shell in the immediate that it has just asked for.
      setImmediate(drawn.resolve);
      const end = () => {
        if (res.destroyed) return;
        expired = true;
        // A client that requested the whole page cannot load the rest later.
        if (whole && !res.headersSent) refuse(busy('Page timed out. Please try again in a moment.', 5));
        controller.abort();
        abort(new AppError('timeout', 'Page timed out.'));
        sink.more();
      };
      const timer = setTimeout(() => void turns.draw(end), wholeMs);
      res.once('close', () => {
        clearTimeout(timer);
        if (!res.writableFinished) abort();
        queryClient.clear();
      });
    });
  };
}

/** Data that became known after the shell, as React's own scripts stand in the page. */
function lateScript(nonce: string, messages: Batch): string {
  return messages.length === 0 ? '' : `<script nonce="${nonce}">self.__q.push(${scriptJson(messages)})</script>`;
}

function waitAddress(path: string, search: string): string {
  return `${path}${search === '' ? '?' : `${search}&`}wait=1`;
}

/**
 * `/_app`: the shell without anyone's data, for the service worker to keep. The same bytes for everyone with the same
 * language and theme, so it has no nonce; its scripts are allowed by their hashes.
 */
function createShells(parts: PageParts): (req: Request, res: Response) => Promise<void> {
  const bootOf = createBoot(parts);
  const kept = new Map<string, Promise<{ html: string; policy: string }>>();

  async function drawShell(boot: Boot, words: Words): Promise<{ html: string; policy: string }> {
    const files = pageFiles(parts.assets(), parts.routes);
    const queryClient = new QueryClient();
    const stream = await new Promise<PassThrough>((resolve, reject) => {
      const { pipe } = renderToPipeableStream(
        <Shell
          boot={boot}
          words={words}
          place={null}
          routes={[]}
          queryClient={queryClient}
          client={noClient}
          files={files.preload(null, words.language)}
        />,
        {
          bootstrapScriptContent: `self.__q=[${scriptJson([{ b: boot }])}]`,
          bootstrapModules: [files.entry],
          onAllReady: () => resolve(pipe(new PassThrough())),
          onError: reject,
        },
      );
    });
    const html = await text(stream);
    return { html, policy: hashPolicy(parts.config, html) };
  }

  return async (req, res) => {
    const words = wordsOf(req);
    const boot = { ...bootOf(req, words.language, 0, null), lastProject: null, shell: true };
    const kind = [boot.language, boot.theme, boot.token, ...boot.styles].join(' ');
    const drawn = kept.get(kind) ?? drawShell(boot, words);
    kept.set(kind, drawn);
    drawn.catch(() => kept.delete(kind));
    const { html, policy } = await drawn;
    res.set({
      'Content-Security-Policy': policy,
      'Cache-Control': 'private, no-cache',
      Vary: 'Accept-Encoding, Accept-Language, Cookie',
    });
    const encoding = chooseEncoding(req);
    if (encoding !== null) res.set('Content-Encoding', encoding);
    res.type('html').send(await compress(Buffer.from(html), encoding));
  };
}

/**
 * The page of an error, outside the shell, which may be what failed.
 *
 * @throws when even this cannot be drawn; then the text of `errors.ts` remains
 */
export function createProblemPages(assets: () => Assets): (req: Request, problem: Problem) => string {
  return (req, problem) => {
    const words = wordsOf(req);
    const theme = themeOf(req);
    return `<!doctype html>${renderToStaticMarkup(
      <ProblemPage {...problem} words={words} theme={theme} styles={assets().entry.styles} />,
    )}`;
  };
}

function createBoot({ config, assets, routes, dev, token }: PageParts) {
  const settings = publicSettings(config);
  const collects = ingestMode(config) !== 'relay';
  return (req: Request, language: Language, now: number, reader: string | null): Boot => {
    const { styles, routeStyles, partStyles } = pageFiles(assets(), routes);
    return {
      settings,
      token: token(),
      reader,
      collects,
      language,
      theme: themeOf(req),
      lastProject: lastProjectOf(req),
      now,
      styles,
      routeStyles,
      partStyles,
      shell: false,
      dev,
    };
  };
}

const catalogues: Record<Language, Words> = { en, 'pt-BR': ptBR };

function wordsOf(req: Request): Words {
  return catalogues[languageOf(req)];
}

/** The id in the cookie, or null; access is checked where it is used. */
function lastProjectOf(req: Request): string | null {
  const project = cookieOf(req, projectCookie);
  return project !== undefined && /^\d{1,10}$/.test(project) ? project : null;
}

function themeOf(req: Request): Theme | null {
  const theme = cookieOf(req, themeCookie);
  return theme === 'light' || theme === 'dark' ? theme : null;
}
