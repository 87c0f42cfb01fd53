/** Questions about visits by what did not happen in them: other products' rules, and what is known of visits with a goal. */
import { eventMarks } from '#src/events/contract.ts';
import { readSnapshot } from '#src/store/snapshot.ts';
import type { ConditionParts } from '../conditions/conditions.ts';
import { needsOfSelections, type Selected, type Selection, selectionOf } from '../conditions/selections.ts';
import type { CountParts } from '../count/count-parts.ts';
import { countEventsOf, countSessionsOf, findSets, visitsOf } from '../count/counting.ts';
import { mergeTallies } from '../count/summing-up.ts';
import type { SessionTest } from '../kernels/count-sessions.ts';
import { gather } from '../snapshot/gather.ts';
import { BOUNCE_MS, type Question } from './answer.ts';
import type { AnswerParts } from './answer-parts.ts';
import { conditionsOfChoice, needsOfChoice } from './people.ts';

/**
 * For each selection and span: counted visits without an event of the selection at any time.
 * @throws AppError `invalid` for invalid filters, `timeout`
 */
export async function queryVisitsWithout(
  parts: AnswerParts,
  question: Question,
  selections: readonly Selection[],
): Promise<number[][]> {
  const { projectId, spans, include = [] } = question;
  const needs = needsOfSelections(selections);
  const more = needsOfChoice(question);
  const ofEvents = ['ts', 'event', 'marks', 'person', 'session'];
  const ofVisits = ['id', 'ts', 'length', 'views', 'autocaptures', 'bot'];
  const wanted = {
    projectId,
    spans,
    toEndOfVisits: true,
    eventColumns: [...new Set([...ofEvents, ...needs.columns, ...(more?.columns ?? [])])],
    properties: [...new Set([...needs.properties, ...(more?.properties ?? [])])],
    sessionColumns: [...new Set([...ofVisits, ...(more?.sessionColumns ?? [])])],
  };
  parts.threads.warm();
  const finds: SessionTest[] = [];
  const ready = await readSnapshot(
    parts.db,
    async (client) => {
      const gathered = await gather({ ...parts, client }, wanted);
      const own: ConditionParts = { client, projectId, groups: parts.groups, cache: parts.cache, gathered };
      const conditions = await conditionsOfChoice(parts, own, question, finds);
      const selected: Selected[] = [];
      for (const each of selections) selected.push(await selectionOf({ ...own, names: parts.names }, each, finds));
      return { gathered, conditions, selected, names: await parts.names.numbers(own, question.views) };
    },
    parts.ending,
  );
  const views: CountParts = {
    gathered: ready.gathered,
    conditions: ready.conditions,
    names: ready.names,
    by: null,
    include,
    threads: parts.threads,
    cache: parts.cache,
    botMark: eventMarks.bot,
    internalMark: eventMarks.internal,
    sets: await findSets(parts, ready.gathered, finds),
    // Asked seldom, and of whole visits: not worth keeping.
    listsSessions: true,
    filterKey: null,
    bounceMs: question.bounceMs ?? BOUNCE_MS,
  };
  const choices = await Promise.all(
    spans.map(async (_, at) =>
      visitsOf(views, views.conditions === null ? null : (await countEventsOf(views, [], at)).sessions, at),
    ),
  );
  return Promise.all(
    ready.selected.map(({ names, where, isImmutable }) => {
      const did: CountParts = { ...views, names, conditions: { where, finds, isImmutable } };
      return Promise.all(
        spans.map(async ({ from, until }, at) => {
          const { only, without, isMixed } = choices[at] as (typeof choices)[number];
          const held = names.length === 0 ? [] : (await countEventsOf(did, [], at)).sessions;
          const choice = { only, without: [...(without ?? []), ...held], isMixed };
          const counted = await countSessionsOf(views, [from, until], choice);
          return (await mergeTallies(views, 1, counted)).counts[0] ?? 0;
        }),
      );
    }),
  );
}
