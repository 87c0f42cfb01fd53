/**
 * The pipeline from raw to stored events: every step, in order. Each step is pure: it reads the draft, the
 * facts of its request and earlier events of it, and either fills its part of the draft or returns a drop reason. Nothing else drops
 * an event.
 */
import type { FinishedEvent } from '#src/events/contract.ts';
import type { JsonValue } from '#src/kit/json.ts';
import type { DropReason } from './contract.ts';
import { isObject } from './envelope.ts';
import { putBot } from './steps/bot.ts';
import { putCookielessIdentity } from './steps/cookieless.ts';
import { type Draft, finish, newDraft, type StepContext } from './steps/draft.ts';
import { putGroups } from './steps/groups.ts';
import { putHeatmap } from './steps/heatmap.ts';
import { putInternal } from './steps/internal.ts';
import { dropForeignOrigin, dropNoPage, dropOtherData, dropUntracked, putDistinctId, putName } from './steps/names.ts';
import { orderWithinMillisecond } from './steps/order.ts';
import { stripParameters } from './steps/parameters.ts';
import { putPerson } from './steps/person.ts';
import { putSession } from './steps/session.ts';
import { cleanText, dropOversized } from './steps/text.ts';
import { dropExpired, dropOfDroppedMonth, putTime } from './steps/time.ts';
import { putUuid } from './steps/uuid.ts';

export type Step = (draft: Draft, context: StepContext) => DropReason | null;

export const steps: readonly Step[] = [
  dropOversized,
  cleanText,
  stripParameters,
  dropForeignOrigin,
  dropUntracked,
  putName,
  dropOtherData,
  dropNoPage,
  putDistinctId,
  putTime,
  dropExpired,
  dropOfDroppedMonth,
  putCookielessIdentity,
  putUuid,
  putBot,
  putInternal,
  putSession,
  putGroups,
  putPerson,
  putHeatmap,
  orderWithinMillisecond,
];

/** An event that is not stored, and why. */
export interface Dropped {
  drop: DropReason;
  draft: Draft | null;
}

/** Takes one raw event through all steps. */
export function runSteps(raw: JsonValue, context: StepContext): FinishedEvent | Dropped {
  if (!isObject(raw)) return { drop: 'not_an_event', draft: null };
  const draft = newDraft(raw);
  for (const step of steps) {
    const drop = step(draft, context);
    if (drop !== null) return { drop, draft };
  }
  return finish(draft, context);
}
