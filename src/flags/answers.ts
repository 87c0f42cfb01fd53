/** Responses to clients: the flags that apply to them, as JSON. */
import type { Project } from '#src/projects/projects.ts';
import type { FlagResult } from './contract.ts';
import type { Definitions, ProjectFlags } from './definitions.ts';
import type { CompiledFlag } from './evaluation/compile.ts';
import { createEvaluation, payloadOf } from './evaluation/evaluate.ts';
import type { FlagRequest } from './request.ts';
import type { StoredReader } from './stored.ts';
import { reasonTexts } from './values.ts';

export interface FlagAnswer {
  key: string;
  result: FlagResult;
  /** JSON text that goes with the value. */
  payload: string | null;
  /**
   * The record of the newest form of the wire, as a member of a JSON object after a comma. In bytes, so that answers are put together without
   * encoding them again.
   */
  member: Buffer;
}

export interface FlagAnswers {
  list: readonly FlagAnswer[];
  /** Some may be out of date or missing: clients keep those that they have. */
  hasErrors: boolean;
}

export const noAnswers: FlagAnswers = { list: [], hasErrors: false };
export const unavailableAnswers: FlagAnswers = { list: [], hasErrors: true };

/** @throws AppError `unavailable` when no flags of the project are known yet */
export async function answerFlags(
  { definitions, stored, now }: { definitions: Definitions; stored: StoredReader; now: number },
  { id: projectId }: Pick<Project, 'id'>,
  request: FlagRequest,
): Promise<FlagAnswers> {
  if (request.subject === null) return noAnswers;
  const { project, isCurrent } = await definitions.of(projectId);
  const { compiled } = project;
  const { subject: asked, anonymousId } = request;
  const first = compiled.isContinuous
    ? await stored.firstId(projectId, asked.distinctId, anonymousId)
    : { id: anonymousId, isKnown: true };
  const subject = { ...asked, firstId: first.id };
  const evaluation = createEvaluation(compiled, subject, await stored.read(projectId, project, subject), now);
  const list = compiled.list
    .filter((flag) => isFor(flag, request))
    .map((flag) => answerOf(flag, evaluation.flag(flag)));
  return { list, hasErrors: !isCurrent || !first.isKnown || list.some(({ result }) => result.failed) };
}

/** True when a flag applies to the request. */
function isFor({ key, definition }: CompiledFlag, { keys, contexts, runtime }: FlagRequest): boolean {
  if (keys !== null && !keys.has(key)) return false;
  const { evaluation_runtime: own, evaluation_contexts: within } = definition;
  if (runtime !== 'all' && own !== 'all' && own !== runtime) return false;
  return contexts.size === 0 || within.length === 0 || within.some((context) => contexts.has(context));
}

/** Few values a flag has, and many are asked: each is written once. */
const written = new WeakMap<CompiledFlag, FlagAnswer[]>();

function answerOf(flag: CompiledFlag, result: FlagResult): FlagAnswer {
  let known = written.get(flag);
  if (known === undefined) {
    known = [];
    written.set(flag, known);
  }
  for (const answer of known) if (isSame(answer.result, result)) return answer;
  const answer = write(flag, result);
  known.push(answer);
  return answer;
}

function isSame(one: FlagResult, other: FlagResult): boolean {
  return one.value === other.value && one.reason === other.reason && one.condition === other.condition;
}

function write(flag: CompiledFlag, result: FlagResult): FlagAnswer {
  const { id, key, version } = flag;
  const { value, reason, condition, failed } = result;
  const payload = payloadOf(flag, value);
  const description =
    reason === 'condition_match' ? `${reasonTexts[reason]} ${(condition ?? 0) + 1}` : reasonTexts[reason];
  const record = {
    key,
    enabled: value !== false,
    variant: typeof value === 'string' ? value : null,
    reason: { code: reason, condition_index: condition, description },
    metadata: { id, version, description: null, payload, has_experiment: false },
    ...(failed && { failed: true }),
  };
  return { key, result, payload, member: Buffer.from(`,${JSON.stringify(key)}:${JSON.stringify(record)}`) };
}

/** True when the project has an active flag. */
export function hasActiveFlags(project: ProjectFlags | undefined): boolean {
  return project?.flags.some(({ definition }) => definition.active) ?? false;
}
