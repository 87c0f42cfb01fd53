/** Sets of persons as a condition on events: who has a property, who did something so many times or in a sequence, who is on a list. */

import type { ClientBase } from 'pg';
import { copyOut } from '#src/store/copy-out.ts';
import { sql } from '#src/store/sql.ts';
import {
  type ConditionParts,
  type Conditions,
  conditionsOf,
  type Needs,
  needsOf,
  personsMask,
  sameMask,
} from '../conditions/conditions.ts';
import { personsOfAll } from '../conditions/selections.ts';
import type { Filters } from '../contract.ts';
import { markCounted } from '../count/summing-up.ts';
import type { People, PersonCriterion } from '../filters/rules.ts';
import { bytesOfTrend, type TrendPart, type TrendPlan } from '../kernels/count-trend.ts';
import type { Condition } from '../kernels/select.ts';
import { CopiedRows } from '../storage/copied-rows.ts';
import type { AnswerParts } from './answer-parts.ts';
import { type FunnelQuery, peopleOfStep, wantedOfFunnel } from './funnels.ts';
import { type Choice, everything, partsOf, readSeries } from './series.ts';

/** Filters, and a set of persons. */
export interface EventChoice {
  filters: Filters | null;
  people?: People | null | undefined;
}

/** Data to gather; null: no filter. @throws AppError `invalid` for invalid filters */
export function needsOfChoice({ filters, people }: EventChoice): Needs | null {
  if (!people) return filters === null ? null : needsOf(filters);
  const own = filters === null ? { columns: [], properties: [], sessionColumns: [] } : needsOf(filters);
  checkPeople(people);
  return { ...own, columns: [...own.columns, 'person'] };
}

/** Null: nothing is chosen. @param finds what conditions find is added to these */
export async function conditionsOfChoice(
  parts: AnswerParts,
  own: ConditionParts,
  { filters, people }: EventChoice,
  finds: Conditions['finds'] = [],
): Promise<Conditions | null> {
  const conditions = filters === null ? null : await conditionsOf(own, filters, finds);
  if (!people) return conditions;
  const masks: Uint8Array[] = [];
  const where = await peopleOf(parts, own, people, masks);
  const persons = personsOfAll([conditions, { isImmutable: false, persons: masks }]);
  return {
    where: conditions === null ? where : { all: [conditions.where, where] },
    finds,
    isImmutable: false,
    persons,
    personsShape: JSON.stringify(shapeOf(people)),
  };
}

/** The same for questions about series. */
export function choiceOf(parts: AnswerParts, chosen: EventChoice): Choice {
  return {
    needs: needsOfChoice(chosen),
    conditions: (own, finds) => conditionsOfChoice(parts, own, chosen, finds),
    key: JSON.stringify(chosen.filters),
  };
}

/** @throws AppError `invalid` */
function checkPeople({ of }: People): void {
  for (const each of of) {
    if ('of' in each) checkPeople(each);
    else if ('has' in each) needsOf({ match: 'all', of: [each.has] });
  }
}

/** How persons who meet criteria are joined. */
function shapeOf({ match, of }: People): unknown {
  return [
    match,
    ...of.map((each) => [each.not === true, 'of' in each ? shapeOf(each) : 'has' in each ? each.has : null]),
  ];
}

/** @param masks the persons who meet each criterion are added to these */
async function peopleOf(
  parts: AnswerParts,
  own: ConditionParts,
  { match, of }: People,
  masks: Uint8Array[],
): Promise<Condition> {
  const conditions: Condition[] = [];
  for (const each of of) {
    const found = 'of' in each ? await peopleOf(parts, own, each, masks) : await criterionOf(parts, own, each, masks);
    conditions.push(each.not ? { not: found } : found);
  }
  return conditions.length === 0 || match === 'all' ? { all: conditions } : { any: conditions };
}

async function criterionOf(
  parts: AnswerParts,
  own: ConditionParts,
  criterion: PersonCriterion,
  masks: Uint8Array[],
): Promise<Condition> {
  if ('has' in criterion) {
    const { where, persons } = await conditionsOf(own, { match: 'all', of: [criterion.has] });
    if (!persons) throw new Error('a condition on persons names persons');
    masks.push(...persons);
    return where;
  }
  const mask = sameMask(own, nameOf(criterion), await maskOf(parts, own, criterion));
  masks.push(mask);
  return { column: 'person', mask };
}

type Done = Exclude<PersonCriterion, { has: unknown }>;

/** Without the end of its span, which moves with each question. */
function nameOf(criterion: Done): unknown {
  return 'within' in criterion ? { ...criterion, within: criterion.within.from } : criterion;
}

/** The persons who meet a criterion, a byte for each of their numbers. */
async function maskOf(parts: AnswerParts, own: ConditionParts, criterion: Done): Promise<Uint8Array> {
  const { mergedInto } = own.gathered;
  if ('listed' in criterion)
    return personsMask(await numbersOf(own.client, own.projectId, criterion.listed), mergedInto);
  if ('sequence' in criterion) return personsMask(await numbersInSequence(parts, own, criterion), mergedInto);
  const { within, did, least } = criterion;
  const ready = await readSeries(
    parts,
    own.client,
    own,
    { spans: [within], series: [did], by: null, timesAt: [within.from, within.until] },
    everything,
  );
  const [series] = ready.series;
  if (series === undefined) throw new Error('no measures requested');
  const plan: TrendPlan = { ...series.plan, by: null, of: 'persons' };
  const seriesParts = await partsOf<TrendPart>(
    ready,
    [within.from, within.until],
    series.key && `["t","","persons"]${series.key}`,
    (chunks, sets) => parts.threads.run({ task: 'countTrend', plan, chunks, sets }),
    bytesOfTrend,
  );
  return markCounted({ ...parts, gathered: own.gathered }, { mergedInto, least }, seriesParts);
}

/** Those who completed the funnel of these steps. */
async function numbersInSequence(
  parts: AnswerParts,
  own: ConditionParts,
  { sequence, within, windowMs }: Extract<PersonCriterion, { sequence: unknown }>,
): Promise<Int32Array> {
  const asked: FunnelQuery = {
    projectId: own.projectId,
    filters: null,
    span: within,
    starts: [within.from],
    earlier: null,
    steps: sequence,
    optional: [],
    order: 'ordered',
    windowMs,
    exclusions: [],
    of: 'persons',
    by: null,
    attribution: 'first',
    most: 1,
  };
  const ready = await readSeries(parts, own.client, own, wantedOfFunnel(asked), everything);
  const people = await peopleOfStep(ready, asked, { step: sequence.length, dropped: false });
  return Int32Array.from(people ?? [], ({ person }) => person);
}

/** Numbers of the listed people, by distinct id or uuid, also by that of a merged person. */
async function numbersOf(
  client: ClientBase,
  projectId: number,
  { distinctIds, persons }: { distinctIds: readonly string[]; persons: readonly string[] },
): Promise<Int32Array> {
  const rows = new CopiedRows(
    await copyOut(
      client,
      sql`select array_agg(number) from (
            select person as number from distinct_ids
             where project_id = ${projectId} and distinct_id = any(${distinctIds}::text[])
            union
            select number from persons where project_id = ${projectId} and uuid = any(${persons}::uuid[])) as listed`,
    ),
  );
  rows.next();
  return rows.numbers();
}
