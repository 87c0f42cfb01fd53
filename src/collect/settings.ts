/** Endpoints that clients call at start: remote configuration, scripts, feature flags. */

import { createHash, randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import { type Flags, readFlagRequest, unavailableAnswers } from '#src/flags/flags.ts';
import type { Clock } from '#src/kit/clock.ts';
import { AppError } from '#src/kit/errors.ts';
import type { JsonValue } from '#src/kit/json.ts';
import { createRecent, type Recent } from '#src/kit/recent.ts';
import { type ProjectId, projectSettings } from '#src/projects/contract.ts';
import type { Project, Projects } from '#src/projects/projects.ts';
import { scriptFor } from './component.ts';
import { isUnavailable, withDeadline } from './deadline.ts';
import { acceptableToken, unknownToken } from './envelope.ts';
import { decideAnswer, flagsAnswer } from './flag-answers.ts';
import { answerBody, answerJson, answerScript, answerText, bearerOf, first, textIn } from './http.ts';
import type { RecordingStore } from './recordings/contract.ts';
import { type ConfigState, remoteConfig, remoteConfigScript } from './remote-config.ts';
import { createScript, JAVASCRIPT, type Script, type Scripts } from './scripts.ts';

export interface SettingsParts {
  projects: Pick<Projects, 'byToken'>;
  flags: Pick<Flags, 'answer' | 'isUsed' | 'definitions' | 'payload' | 'offered' | 'keys'>;
  scripts: Scripts;
  recordings: { store: Pick<RecordingStore, 'budget'> };
  /** The built script of the web-analytics component. */
  componentScript(): Promise<string>;
  clock: Clock;
}

export type SettingsForm = 'config' | 'config.js' | 'array.js';

export interface SettingsAnswers {
  settings(req: Request, res: Response, tokenInPath: string, form: SettingsForm): Promise<void>;
  /** @param value the decoded body */
  flags(req: Request, res: Response, value: JsonValue): Promise<void>;
  flagDefinitions(req: Request, res: Response): Promise<void>;
  /** The payload of one flag. @param key of the flag, as it stands in the address */
  flagPayload(req: Request, res: Response, key: string): Promise<void>;
  /** The features that people can turn on for themselves. */
  earlyAccess(req: Request, res: Response): Promise<void>;
  /** @param path below `/static/` */
  staticScript(req: Request, res: Response, path: string): Promise<void>;
  componentScript(req: Request, res: Response, tokenInPath: string | null): Promise<void>;
}

/** Each holds a whole client with its compressed forms, some 400 kB, and strangers may ask with any token while the database is away. */
const REMEMBERED_SCRIPTS = 50;
const JSON_TYPE = 'application/json; charset=utf-8';
const SHORTLY = 'public, max-age=60';
const HOURLY = 'public, max-age=3600';
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** A project as far as it can be known; `id` is null while the database is away. */
interface KnownProject extends Pick<Project, 'tokens' | 'settings'>, ConfigState {
  id: ProjectId | null;
}

export function createSettings(parts: SettingsParts): SettingsAnswers {
  const { projects, flags, recordings, scripts, componentScript, clock } = parts;
  const made = createRecent<string, Script>(REMEMBERED_SCRIPTS);

  /** The project's settings for clients; those of a fresh project while the database is away. @throws unauthenticated */
  async function settingsOf(token: string): Promise<KnownProject> {
    try {
      const project = await projectOf(token);
      const { id, settings } = project;
      const isRecorded = settings.replay.mode !== 'off';
      const budget = isRecorded ? await recordings.store.budget(id, settings.replay.budgetGb) : 'ok';
      return { ...project, hasFlags: flags.isUsed(id), budget };
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      return { id: null, tokens: [token], settings: projectSettings.parse({}), hasFlags: false, budget: 'ok' };
    }
  }

  /** @throws unauthenticated, unavailable while the database is away and the token is not remembered */
  async function projectOf(token: string): Promise<Project> {
    const project = await withDeadline(projects.byToken(acceptableToken(token)));
    if (project === null) throw unknownToken();
    return project;
  }

  /** The project whose flags the caller's key may read; null after a refusal was sent. @throws unauthenticated */
  async function readableBy(req: Request, res: Response): Promise<Project | null> {
    const key = bearerOf(req);
    if (key === undefined) throw new AppError('unauthenticated', 'Missing secret key or personal API key.');
    const project = await projectOf(first(req, 'token') ?? '');
    const answer = await withDeadline(flags.keys.check(key, project));
    if (answer === 'allowed') return project;
    if (answer === 'unknown') throw new AppError('unauthenticated', 'Unknown secret key or personal API key.');
    answerText(
      res,
      403,
      'This key can’t read feature flags of this project. Use a secret key of the project, or a personal key with the scope flags:read.',
    );
    return null;
  }

  return {
    async settings(req, res, tokenInPath, form) {
      const token = unescaped(tokenInPath);
      const { settings, ...state } = await settingsOf(token);
      res.setHeader('Cache-Control', SHORTLY);
      if (form === 'config') return answerJson(res, 200, remoteConfig(token, settings, state));
      const script = remoteConfigScript(token, settings, state);
      if (form === 'config.js') return answerBody(res, 200, JAVASCRIPT, script);
      const client = await scripts.get('array.js')?.body('identity');
      return answerScript(req, res, remembered(made, `array ${script}`, script + (client ?? '')), SHORTLY);
    },

    async flags(req, res, value) {
      const token = acceptableToken(textIn(value, 'token') ?? textIn(value, 'api_key') ?? first(req, 'token'));
      const { id, settings, ...state } = await settingsOf(token);
      const version = Number(first(req, 'v') ?? 0) || 0;
      const isDecide = req.path.startsWith('/decide');
      const wantsConfig = isDecide || version < 2 || first(req, 'config') === 'true';
      const config = wantsConfig ? remoteConfig(token, settings, state) : null;
      const asked = readFlagRequest(value, isBrowser(req));
      const answers = id === null ? unavailableAnswers : await flags.answer({ id }, asked);
      const write = isDecide ? decideAnswer : flagsAnswer;
      const call = { version, config, requestId: randomUUID(), nowMs: clock.now() };
      answerBody(res, 200, JSON_TYPE, write(answers, call));
    },

    async flagDefinitions(req, res) {
      const project = await readableBy(req, res);
      if (project === null) return;
      const { body, etag } = await flags.definitions(project.id);
      res.setHeader('ETag', etag);
      res.setHeader('Cache-Control', 'private, no-cache');
      if (req.headers['if-none-match']?.includes(etag)) res.writeHead(304).end();
      else answerBody(res, 200, JSON_TYPE, body);
    },

    async flagPayload(req, res, key) {
      const project = await readableBy(req, res);
      if (project === null) return;
      const payload = await flags.payload(project.id, unescaped(key));
      if (payload === null) return answerJson(res, 404, { type: 'not_found', detail: 'No payload for this flag.' });
      answerBody(res, 200, JSON_TYPE, payload);
    },

    async earlyAccess(req, res) {
      const project = await projectOf(first(req, 'token') ?? '');
      const stages = new Set(new URL(req.originalUrl, 'http://localhost').searchParams.getAll('stage'));
      const features = (await flags.offered(project.id)).filter(({ stage }) => stages.size === 0 || stages.has(stage));
      answerJson(res, 200, {
        earlyAccessFeatures: features.map(({ name, description, stage, documentationUrl, flagKey }) => ({
          name,
          description,
          stage,
          documentationUrl,
          imageUrl: null,
          payload: {},
          flagKey,
        })),
      });
    },

    async staticScript(req, res, path) {
      const [, version, file] = /^(?:(\d+\.\d+\.\d+[\w.-]*)\/)?([\w.-]+)$/.exec(path) ?? [];
      const script = file === undefined ? null : scripts.get(file);
      if (script === null) return answerText(res, 404, 'There is no such script.');
      // A page that names another version gets the installed one: what it loads besides is of that version, too.
      const isPinned = (version ?? first(req, 'v')) === scripts.version;
      await answerScript(req, res, script, isPinned ? IMMUTABLE : HOURLY);
    },

    async componentScript(req, res, tokenInPath) {
      const { tokens } = tokenInPath === null ? { tokens: [] } : await settingsOf(unescaped(tokenInPath));
      const text = scriptFor(await componentScript(), tokens);
      await answerScript(req, res, remembered(made, `component ${tokens.join(' ')}`, text), HOURLY);
    },
  };
}

/** Pages of browsers say where they are from; servers do not. */
function isBrowser({ headers }: Request): boolean {
  return headers.origin !== undefined || headers['sec-fetch-mode'] !== undefined;
}

/** The script with this text, compressed once. */
function remembered(made: Recent<string, Script>, key: string, text: string): Script {
  let script = made.get(key);
  if (script === undefined) {
    const hash = createHash('sha256').update(text).digest('base64url').slice(0, 16);
    script = createScript(`"${hash}"`, JAVASCRIPT, () => Promise.resolve(Buffer.from(text)));
    made.set(key, script);
  }
  return script;
}

/** A piece of a path as it was meant; as it stands when it is not escaped properly. */
function unescaped(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    return piece; // no token looks like that: the look-up will say so
  }
}
