/** Resolves a URL for the caller: a page, a redirect, or a refusal. Decided before the first byte. */
import type { Request } from 'express';
import { isAtLeast, type Need, type TeamId } from '#src/accounts/contract.ts';
import { type AppError, forbidden, notFound } from '#src/kit/errors.ts';
import { isUuid } from '#src/kit/ids.ts';
import { rowId } from '#src/kit/row.ts';
import { type ProjectId, type Role, roles } from '#src/projects/contract.ts';
import type { Context, Rooms } from '#src/trpc/context.ts';
import { projectOf } from '#src/trpc/procedure.ts';
import { loadScreen, type Match, matchPath, type Route } from '#views/routing.ts';
import type { ScreenModule } from '#views/screen.ts';
import type { Refusal } from './errors.ts';
import { localPath } from './local-path.ts';

/** A page that is to be drawn. */
export interface Plan {
  match: Match;
  screen: ScreenModule;
  /** Its subject was erased: the page shows only that. */
  gone: boolean;
}

/** Everything that decides the status. @throws AppError `not_found`, `forbidden`, `unavailable` */
export async function planPage(
  { rooms, routes }: { rooms: Rooms; routes: readonly Route[] },
  req: Request,
  ctx: Context,
): Promise<{ redirect: string } | Plan | null> {
  const match = matchPath(routes, req.path);
  if (match === null) return null;
  const { needs } = match.route;
  const elsewhere = await ledOn(match.route, req, ctx);
  if (elsewhere !== null) return { redirect: elsewhere };
  if (needs !== 'anyone' && ctx.reader === null) {
    const isSetUp = await rooms.accounts.isSetUp();
    if (!isSetUp) return { redirect: '/setup' };
    return { redirect: `/sign-in?next=${encodeURIComponent(req.path + searchOf(req))}` };
  }
  if (needs === 'operator' && ctx.reader?.operator !== true) {
    // Treated as an owner, who may see everything else; the server's administrator is not named.
    if (req.res) req.res.locals['refusal'] = { role: 'owner', ask: [] } satisfies Refusal;
    throw forbidden();
  }
  let gone = false;
  const ref = match.params['project'];
  if (ref !== undefined) {
    const found = await projectOf(ctx, ref);
    if (found === null) throw notFound('project');
    if (isRole(needs) && !isAtLeast(found.role, needs)) {
      throw await tooLow(ctx, req, found.project.teamId as TeamId, found.role, match.route);
    }
    // Clients build addresses with the token; ours have the number.
    const { id } = found.project;
    if (ref !== String(id)) {
      return { redirect: req.path.replace(/^\/project\/[^/]*/, `/project/${id}`) + searchOf(req) };
    }
    const person = match.params['person'];
    if (person !== undefined) {
      const now = await personNow(ctx, id, person);
      gone = now === null;
      if (now !== null && now !== person) return { redirect: req.path.replace(/[^/]*$/, now) + searchOf(req) };
    }
    const insight = match.params['insight'];
    if (insight !== undefined && ctx.reader !== null) {
      const id = rowId.safeParse(Number(insight));
      if (!id.success) throw notFound('insight');
      await ctx.insights.saved.get({ ...found, reader: ctx.reader }, id.data);
    }
  }
  const team = match.params['team'];
  if (team !== undefined) {
    const member = ctx.reader?.teams.find(({ id }) => String(id) === team);
    if (member === undefined) throw notFound('team');
    if (isRole(needs) && !isAtLeast(member.role, needs)) {
      throw await tooLow(ctx, req, member.id, member.role, match.route);
    }
  }
  return { match, screen: await loadScreen(match.route), gone };
}

/** The current uuid of a person after merges; null when erased. @throws AppError `not_found` */
async function personNow({ people, privacy }: Context, projectId: ProjectId, uuid: string): Promise<string | null> {
  const person = isUuid(uuid) ? await people.get(projectId, uuid) : null;
  if (person !== null) return person.uuid;
  if (!isUuid(uuid) || (await privacy.erasedAt(projectId, uuid)) === null) throw notFound('person');
  return null;
}

/** Redirect target when a screen does not apply to the caller's state, such as sign-in for a signed-in user. */
async function ledOn({ before }: Route, req: Request, { reader, accounts }: Context): Promise<string | null> {
  if (before === undefined) return null;
  if (reader !== null) return localPath(req.query['next']);
  if (await accounts.isSetUp()) return before === 'setUp' ? '/sign-in' : null;
  return before === 'signIn' ? '/setup' : null;
}

/** Adds people to ask to the error page of a member without access. */
async function tooLow(
  { accounts, reader, client }: Context,
  { res }: Request,
  team: TeamId,
  role: Role,
  { path }: Route,
): Promise<AppError> {
  if (reader !== null) accounts.audit.refused({ teamId: team, actor: reader, address: client.address }, path);
  if (res) res.locals['refusal'] = { role, ask: await accounts.teams.ownersOf(team) } satisfies Refusal;
  return forbidden();
}

function isRole(need: Need): need is Role {
  return roles.some((role) => role === need);
}

/** The query string of a request with its question mark, or nothing. */
export function searchOf(req: Request): string {
  const at = req.originalUrl.indexOf('?');
  return at < 0 ? '' : req.originalUrl.slice(at);
}
