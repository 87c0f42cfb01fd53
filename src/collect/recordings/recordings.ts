/**
 * Requests with recordings (`/s`): opened by a thread, stored, then answered. Nothing is kept on a disk while the database is away: the answer is 503, and
 * the client sends again. @see docs/replay.md
 */
import type { Request, Response } from 'express';
import type { Clock } from '#src/kit/clock.ts';
import type { ProjectSettings } from '#src/projects/contract.ts';
import type { Project, Projects } from '#src/projects/projects.ts';
import { cannotStore, isUnavailable, withDeadline } from '../deadline.ts';
import type { EndpointCounts } from '../endpoint-counts.ts';
import { acceptableToken, unknownToken } from '../envelope.ts';
import { answerJson, answerOk, first, readClientHeaders } from '../http.ts';
import type { RequestBodies } from '../request-body.ts';
import { isOriginAllowed } from '../steps/names.ts';
import type { RecordingStore } from './contract.ts';
import type { RecordingReader } from './reader.ts';

export interface RecordingsParts {
  store: RecordingStore;
  reader: Pick<RecordingReader, 'withOpened'>;
  projects: Pick<Projects, 'byToken' | 'known'>;
  bodies: Pick<RequestBodies, 'withBody'>;
  clock: Clock;
  counts: EndpointCounts['recordings'];
}

/** Answers requests with recordings. @throws AppError, rendered by `refuse.ts` */
export type CaptureRecordings = (req: Request, res: Response) => Promise<void>;

/** Tells the client to pause recording for a minute. */
const PAUSE = { status: 1, quota_limited: ['recordings'] };

export function createRecordings(parts: RecordingsParts): CaptureRecordings {
  const { store, reader, projects, bodies, clock, counts } = parts;

  async function projectOf(token: string): Promise<Project> {
    const project = projects.known(token) ?? (await withDeadline(projects.byToken(token)));
    if (project === null) throw unknownToken();
    return project;
  }

  /** True when nothing of the project may be stored now. */
  async function isRefused({ id, settings }: Project, req: Request): Promise<boolean> {
    const { origin, asksNotToTrack } = readClientHeaders(req.headers);
    if (settings.replay.mode === 'off' || !isOriginAllowed(origin, settings.allowedOrigins)) return true;
    if (asksNotToTrack && settings.respectDnt) return true;
    return (await store.budget(id, settings.replay.budgetGb)) === 'full';
  }

  /** True when the request's recordings are stored, false when the project does not take them. */
  async function take(req: Request, body: Buffer, hold: (bytes: number) => void): Promise<boolean> {
    const receivedAt = clock.now();
    const token = first(req, 'token') ?? first(req, 'api_key');
    const incoming = {
      data: first(req, 'data'),
      compression: first(req, 'compression'),
      contentType: req.headers['content-type'],
      contentEncoding: req.headers['content-encoding'],
    };
    return reader.withOpened({ incoming, body, token }, async (opened, finish) => {
      hold(opened.length);
      const project = await projectOf(acceptableToken(opened.token));
      if (await isRefused(project, req)) return false;
      const known = await withDeadline(store.secretFields(project.id, opened.sessions));
      const { parts: finished, unread } = await finish({ receivedAt, settings: wantedBy(project.settings), known });
      if (finished.length > 0) await withDeadline(store.store(project.id, finished));
      counts.stored += finished.length;
      counts.unread += unread;
      return true;
    });
  }

  return (req, res) =>
    bodies.withBody(req, res, async (body, ticket) => {
      try {
        if (await take(req, body, (bytes) => ticket.hold(bytes))) return answerOk(req, res);
        counts.refused++;
        answerJson(res, 200, PAUSE);
      } catch (error) {
        throw isUnavailable(error) ? cannotStore(error) : error;
      }
    });
}

function wantedBy({ replay, strippedParameters }: ProjectSettings) {
  return { console: replay.console, network: replay.network, strippedParameters };
}
