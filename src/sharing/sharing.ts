/** Links that share a dashboard or an insight with readers without an account. Owner of `share_links` and `share_views`. */
import type { NoteChange } from '#src/accounts/note-change.ts';
import { verifyPassword } from '#src/accounts/passwords.ts';
import { isAtLeast } from '#src/accounts/values.ts';
import type { InsightReader } from '#src/insights/saved/saved-insights.ts';
import { AppError, notFound } from '#src/kit/errors.ts';
import { createReruns } from '#src/kit/rerun.ts';
import type { Limits } from '#src/limits/limits.ts';
import type { Project } from '#src/projects/projects.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Secrets } from '#src/store/secrets.ts';
import type { SharedObject, ShareLink, ShareSettings, TeamShareLink } from './contract.ts';
import { createShareLinks } from './links.ts';
import * as queries from './queries.ts';
import { openShared, type SharedParts, type SharedView, strangerIn } from './shared.ts';
import { hashOf, isTicket, TOKEN, ticketOf, tokenOf } from './tokens.ts';
import { createShareViews } from './views.ts';

export { createShareLinks };

/** Who changes a link. */
export interface Sharer extends InsightReader {
  project: Project & InsightReader['project'];
}

/** A dashboard or insight has at most one link. Methods about one throw AppError `not_found` for an object without a link. */
export interface Sharing {
  /** Null: it is not shared. @throws AppError `not_found` for an object that the reader may not see */
  get(asker: Sharer, of: SharedObject): Promise<ShareLink | null>;
  /** @throws AppError `conflict` for what reveals persons, and for what is shared already */
  create(asker: Sharer, of: SharedObject, settings: ShareSettings, noted?: NoteChange): Promise<ShareLink>;
  update(asker: Sharer, of: SharedObject, settings: ShareSettings, noted?: NoteChange): Promise<ShareLink>;
  /** The link before opens nothing from now on. */
  rotate(asker: Sharer, of: SharedObject, noted?: NoteChange): Promise<ShareLink>;
  revoke(asker: Sharer, of: SharedObject, noted?: NoteChange): Promise<void>;
  /** Of projects that the reader may see. */
  list(projects: readonly Pick<Project, 'id' | 'name'>[]): Promise<TeamShareLink[]>;
  /**
   * The link of a token; null: there is none, or it has expired. Read from the database after the call, so that a link that was turned off
   * anywhere opens nothing from then on; concurrent calls share what is read. So does `OpenLink.view`.
   */
  find(token: string): Promise<OpenLink | null>;
  /** Stores views that are counted, and not stored yet. */
  stop(): Promise<void>;
}

/** A link as its reader has it. */
export interface OpenLink {
  open: boolean;
  /** Readers may filter by these. */
  filters: ShareLink['filters'];
  language: ShareLink['language'];
  theme: ShareLink['theme'];
  origins: string[];
  /** Whether a password is asked for before it shows anything. @param ticket of an earlier answer */
  isLocked(ticket: string): Promise<boolean>;
  /** A ticket; null for a wrong password. @throws AppError `rate_limited` */
  unlock(password: string, client: string): Promise<string | null>;
  /** @throws AppError `not_found` for what is gone or reveals persons */
  view(): Promise<SharedView>;
  /** Counts that it was shown; stored within a second. */
  viewed(): void;
}

interface Parts extends SharedParts {
  secrets: Pick<Secrets, 'keys'>;
  limits: Pick<Limits, 'sharePassword'>;
}

export function createSharing(deps: Pick<Deps, 'db' | 'clock' | 'config' | 'log'>, parts: Parts): Sharing {
  const { db, clock, config } = deps;
  const links = createShareLinks(clock, parts.secrets);
  const { keys } = links;
  const views = createShareViews(deps);
  const rowOf = createReruns((hash: string) => queries.linkByHash(db, hash));
  const viewOf = createReruns((shown: string) => {
    const [project, of] = JSON.parse(shown) as [number, SharedObject];
    return openShared(parts, project, of);
  });
  /** Without the last ones where they cannot be stored now, which the log says. */
  const storeViews = () => views.write().catch(() => undefined);

  async function nameOf(asker: Sharer, { kind, id }: SharedObject): Promise<string> {
    const { name } =
      kind === 'dashboard' ? await parts.dashboards.get(asker, id) : await parts.insights.saved.get(asker, id);
    return name;
  }

  async function find(asker: Sharer, of: SharedObject): Promise<queries.LinkRow> {
    const row = await queries.linkOf(db, asker.project.id, of, clock.now());
    if (row === null) throw notFound('link');
    return row;
  }

  async function asLink(asker: Sharer, row: queries.LinkRow): Promise<ShareLink> {
    const tokens = isAtLeast(asker.role, 'member') ? (await keys()).map((key) => tokenOf(key, row.seed)) : [];
    const token = tokens.find((each) => hashOf(each) === row.token_hash);
    return {
      ...asListed(row),
      url: token === undefined ? null : new URL(`/shared/${token}`, config.PUBLIC_APP_URL).href,
      language: row.language,
      theme: row.theme,
    };
  }

  async function get(asker: Sharer, of: SharedObject): Promise<ShareLink | null> {
    await nameOf(asker, of);
    await storeViews();
    const row = await queries.linkOf(db, asker.project.id, of, clock.now());
    return row && asLink(asker, row);
  }

  /** Changes an existing link, with its note. */
  async function change(
    asker: Sharer,
    of: SharedObject,
    noted: NoteChange | undefined,
    write: (trx: Parameters<NoteChange>[0]) => Promise<void>,
  ): Promise<ShareLink> {
    const name = await nameOf(asker, of);
    await find(asker, of);
    await db.transaction(async (trx) => {
      await write(trx);
      await noted?.(trx, name);
    });
    return asLink(asker, await find(asker, of));
  }

  return {
    get,
    async create(asker, of, settings, noted) {
      const name = await nameOf(asker, of);
      await nameOf({ ...asker, ...strangerIn(asker.project) }, of).catch((error: unknown) => {
        if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
        throw new AppError('conflict', 'Filters by people can’t be shared. Remove them first.', { field: 'of' });
      });
      const link = { project: asker.project.id, of, account: asker.reader.id };
      const given = await links.stored(settings);
      await db.transaction(async (trx) => {
        if (!(await links.insert(trx, link, given))) {
          throw new AppError('conflict', 'There is a link already. Reload the page to see it.');
        }
        await noted?.(trx, name);
      });
      return asLink(asker, await find(asker, of));
    },
    async update(asker, of, settings, noted) {
      const next = await links.stored(settings);
      return change(asker, of, noted, (trx) => queries.updateLink(trx, asker.project.id, of, next));
    },
    async rotate(asker, of, noted) {
      const token = await links.newToken();
      return change(asker, of, noted, (trx) => queries.rotateLink(trx, asker.project.id, of, token));
    },
    async revoke(asker, of, noted) {
      const name = await nameOf(asker, of);
      await find(asker, of);
      await db.transaction(async (trx) => {
        await queries.deleteLink(trx, asker.project.id, of);
        await noted?.(trx, name);
      });
    },
    async list(projects) {
      const names = new Map(projects.map(({ id, name }) => [Number(id), name]));
      await storeViews();
      const rows = await queries.linksOf(db, [...names.keys()], clock.now());
      return rows.map((row) => ({
        ...asListed(row),
        name: row.name,
        project: { id: row.project_id, name: names.get(row.project_id) ?? '' },
      }));
    },
    async find(token) {
      if (!TOKEN.test(token)) return null;
      const row = await rowOf(hashOf(token));
      if (row === null || (row.expires_at !== null && row.expires_at <= clock.now())) return null;
      return openLink(row);
    },
    stop: () => views.write(),
  };

  function openLink(row: queries.OpenLinkRow): OpenLink {
    const { open, filters, language, theme, origins, password, token_hash: hash } = row;
    return {
      open,
      filters,
      language,
      theme,
      origins,
      async isLocked(ticket) {
        if (password === null) return false;
        return !isTicket(await keys(), { hash, password }, ticket, clock.now());
      },
      async unlock(given, client) {
        const attempt = await parts.limits.sharePassword(hash, client);
        if (!(await verifyPassword(given, password)) || password === null) return null;
        await attempt.succeeded();
        const [key] = await keys();
        return ticketOf(key as Buffer, { hash, password }, clock.now());
      },
      view: () => viewOf(JSON.stringify([row.project_id, { kind: row.kind, id: row.object }])),
      viewed: () => views.add(row),
    };
  }
}

function asListed(row: queries.LinkRow): Omit<ShareLink, 'url' | 'theme' | 'language'> {
  return {
    of: { kind: row.kind, id: row.object },
    createdBy: row.created_by_name,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    hasPassword: row.password !== null,
    open: row.open,
    filters: row.filters,
    origins: row.origins,
    views: row.views,
  };
}
