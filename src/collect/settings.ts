/** What clients ask for before they send anything: settings of their project, scripts, and features that have no home here yet. */

import { createHash, randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Clock } from '#src/kit/clock.ts';
import { AppError } from '#src/kit/errors.ts';
import type { JsonValue } from '#src/kit/json.ts';
import { createRecent, type Recent } from '#src/kit/recent.ts';
import { projectSettings } from '#src/projects/contract.ts';
import type { Project, Projects } from '#src/projects/projects.ts';
import { scriptFor } from './component.ts';
import { isUnavailable, withDeadline } from './deadline.ts';
import { acceptableToken, unknownToken } from './envelope.ts';
import { answerBody, answerJson, answerScript, answerText, bearerOf, first, textIn } from './http.ts';
import { decideAnswer, flagsAnswer, noFlagDefinitions, remoteConfig, remoteConfigScript } from './remote-config.ts';
import { createScript, JAVASCRIPT, type Script, type Scripts } from './scripts.ts';

export interface SettingsParts {
  projects: Pick<Projects, 'byToken'>;
  scripts: Scripts;
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
  /** @param path below `/static/` */
  staticScript(req: Request, res: Response, path: string): Promise<void>;
  componentScript(req: Request, res: Response, tokenInPath: string | null): Promise<void>;
}

/** Each holds a whole client with its compressed forms, some 400 kB, and strangers may ask with any token while the database is away. */
const REMEMBERED_SCRIPTS = 50;
const SHORTLY = 'public, max-age=60';
const HOURLY = 'public, max-age=3600';
const IMMUTABLE = 'public, max-age=31536000, immutable';

export function createSettings({ projects, scripts, componentScript, clock }: SettingsParts): SettingsAnswers {
  const made = createRecent<string, Script>(REMEMBERED_SCRIPTS);

  /** The project's settings for clients; those of a fresh project while the database is away. @throws unauthenticated */
  async function settingsOf(token: string): Promise<{ tokens: string[]; settings: Project['settings'] }> {
    try {
      const project = await withDeadline(projects.byToken(acceptableToken(token)));
      if (project === null) throw unknownToken();
      return project;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      return { tokens: [token], settings: projectSettings.parse({}) };
    }
  }

  return {
    async settings(req, res, tokenInPath, form) {
      const token = unescaped(tokenInPath);
      const { settings } = await settingsOf(token);
      res.setHeader('Cache-Control', SHORTLY);
      if (form === 'config') return answerJson(res, 200, remoteConfig(token, settings));
      const script = remoteConfigScript(token, settings);
      if (form === 'config.js') return answerBody(res, 200, JAVASCRIPT, script);
      const client = await scripts.get('array.js')?.body('identity');
      return answerScript(req, res, remembered(made, `array ${script}`, script + (client ?? '')), SHORTLY);
    },

    async flags(req, res, value) {
      const token = acceptableToken(textIn(value, 'token') ?? textIn(value, 'api_key') ?? first(req, 'token'));
      const { settings } = await settingsOf(token);
      const version = Number(first(req, 'v') ?? 0) || 0;
      const isDecide = req.path.startsWith('/decide');
      const wantsConfig = isDecide || version < 2 || first(req, 'config') === 'true';
      const config = wantsConfig ? remoteConfig(token, settings) : null;
      const answer = isDecide ? decideAnswer : flagsAnswer;
      answerJson(res, 200, answer(version, config, randomUUID(), clock.now()));
    },

    async flagDefinitions(req, res) {
      if (bearerOf(req) === undefined) throw new AppError('unauthenticated', 'Missing personal API key.');
      await settingsOf(first(req, 'token') ?? '');
      const etag = '"no-flags"';
      res.setHeader('ETag', etag);
      if (req.headers['if-none-match']?.includes(etag)) res.writeHead(304).end();
      else answerJson(res, 200, noFlagDefinitions);
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
