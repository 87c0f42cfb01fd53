/** Calls about the intake of a project. */
import { groupKinds } from '#src/events/contract.ts';
import { unavailable } from '#src/kit/errors.ts';
import { uuidV7 } from '#src/kit/ids.ts';
import { dayMs } from '#src/kit/zone.ts';
import { query, sql } from '#src/store/sql.ts';
import type { Context } from '#src/trpc/context.ts';
import { projectProcedure, router } from '#src/trpc/procedure.ts';
import type { Collect } from './collect.ts';
import type { Ingestion, Install } from './contract.ts';
import { explainIngestion } from './explain.ts';

/** An event is looked for among those that happened so long before its receipt at most: few months hold it, not all. */
const OUTSIDE_BACK_DAYS = 31;

export const collectRouter = router({
  /** The install card: the snippet's settings, and whether events have arrived. */
  install: projectProcedure.query(async ({ ctx }): Promise<Install> => {
    const { config, db, clock } = ctx.deps;
    const { id, token, builtIn, settings } = ctx.project;
    const since = clock.now() - dayMs;
    const hosts = settings.allowedOrigins.flatMap((origin) => (URL.canParse(origin) ? new URL(origin).host : []));
    const [project, [event], [seen], problems, refusal] = await Promise.all([
      ctx.projects.get(id),
      query<{ found: boolean }>(
        db,
        sql`select exists (select from events where project_id = ${id}) or exists (select from dropped_days where project_id = ${id}) as found`,
      ),
      query<{ people: boolean; bots: boolean }>(
        db,
        sql`select exists (select from event_counts where project_id = ${id} and events > 0) as people,
                   exists (select from event_counts where project_id = ${id} and bots > 0) as bots`,
      ),
      ctx.collect?.problems(id, since) ?? [],
      // The operator may know of every request that came; others of those from their own sites.
      ctx.collect?.refusals.newest(since, ctx.reader.operator ? null : new Set(hosts)) ?? null,
    ]);
    const outsideAt = project?.outsideEventAt ?? null;
    const [lastProblem] = problems;
    return {
      token,
      host: `${new URL(config.PUBLIC_APP_URL).origin}/ingest`,
      receivedAny: event?.found ?? false,
      outside: outsideAt === null ? null : { at: outsideAt, event: await eventReceivedAt(ctx, id, outsideAt) },
      refusal,
      onlyBots: !builtIn && seen?.bots === true && !seen.people,
      alias: config.INGEST_ALIAS,
      lastProblem: lastProblem ? { reason: lastProblem.reason, at: lastProblem.at, sample: lastProblem.sample } : null,
    };
  }),

  /** Sends an event through the whole collector. It is one of Luneta's own, so it does not count as coming from outside. */
  sendTestEvent: projectProcedure.mutation(async ({ ctx }) => {
    const { config, clock } = ctx.deps;
    const ts = clock.now();
    const uuid = uuidV7(ts);
    const url = new URL(config.PUBLIC_APP_URL);
    const [result] = await collectOf(ctx).capture(
      [
        {
          uuid,
          event: 'test event',
          distinct_id: 'luneta-test',
          timestamp: ts,
          properties: { $lib: 'luneta', $current_url: url.href, $host: url.host, $process_person_profile: false },
        },
      ],
      ctx.project,
    );
    return { uuid, ts, outcome: result?.outcome ?? 'stored' };
  }),

  /** How these numbers are counted. */
  explain: projectProcedure.query(({ ctx }) => explainIngestion(ctx.project.id, ctx.deps.clock.now())),

  /** Accepted and dropped per minute, for the operator also refused, what was noticed, and which promise a 200 carries; null where nothing is collected. */
  ingestion: projectProcedure.query(
    async ({ ctx }): Promise<Ingestion | null> =>
      (await ctx.collect?.ingestion(ctx.project.id, { withRefused: ctx.reader.operator })) ?? null,
  ),
});

function collectOf({ collect }: Pick<Context, 'collect'>): Collect {
  if (collect === null) throw unavailable('Events are relayed to another host. Nothing is stored here.', 60);
  return collect;
}

/** Name of the event from outside that came at this moment; '' when it is gone, or happened long before. */
async function eventReceivedAt({ deps }: Pick<Context, 'deps'>, projectId: number, at: number): Promise<string> {
  const ownHost = new URL(deps.config.PUBLIC_APP_URL).host;
  const [row] = await query<{ name: string }>(
    deps.db,
    sql`select event_names.name
      from events
      join event_names on event_names.project_id = events.project_id and event_names.number = events.event
      left join property_groups as page
        on page.project_id = events.project_id and page.kind = ${groupKinds.page} and page.number = events.page
      where events.project_id = ${projectId}
        and events.received_at = ${new Date(at)}
        and events.ts between ${new Date(at - OUTSIDE_BACK_DAYS * dayMs)} and ${new Date(at + dayMs)}
        and page.properties ->> '$host' is distinct from ${ownHost}
      limit 1`,
  );
  return row?.name ?? '';
}
