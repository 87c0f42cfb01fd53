/** Operations of queries, one for each kind of insight. Those without parameters are posted, since they may be long; they change nothing. */
import * as z from 'zod';
import type { QueryInput } from '#src/insights/define.ts';
import { type AnyKind, allKinds } from '#src/insights/kinds/all-kinds.ts';
import { ofSegment, rangeParameters, readParameters } from '#src/insights/query/parameters.ts';
import { rowId } from '#src/kit/row.ts';
import { pointList } from '#src/profiles/points/contract.ts';
import { answerWithCaveats, withCaveats } from './caveats.ts';
import { fileOfAnswer, fileParameters, formatsOf, inputOfFile, isFileAsked, typesOf } from './file-answer.ts';
import { type ApiProject, aboutProject, type Operation, type Segments, withinSegment } from './operation.ts';
import { readInput } from './read-input.ts';
import * as schemas from './schemas.ts';

export const queryOperations: readonly Operation[] = [
  ...allKinds.map(operationOf),
  ...allKinds.filter(({ points }) => points !== undefined).map(peopleOperationOf),
];

function operationOf(kind: AnyKind): Operation {
  const name = capitalized(kind.name);
  const isPosted = kind.parameters === undefined;
  const formats = formatsOf(kind);
  const ofFiles = fileParameters(formats);
  const body = z
    .strictObject({ ...kind.input.shape, segment: z.optional(rowId).meta(ofSegment) })
    .meta({ id: `${name}Query` });
  return aboutProject({
    id: `query${name}`,
    ...(isPosted && { method: 'post' as const, body }),
    path: `/projects/:project/query/${kind.name}`,
    isHeavy: true,
    summary: kind.summary,
    scope: 'query:read',
    minRole: kind.access,
    params: schemas.projectPath,
    query: z.strictObject({ ...(!isPosted && { ...rangeParameters, ...kind.parameters }), ...ofFiles }),
    files: typesOf(formats),
    answer: answerWithCaveats(kind.result),
    async run({ insights, collect, draw }, reached, { query: parameters, body: posted, gone }) {
      const { format, language, theme, ...query } = parameters as Record<string, unknown>;
      const file = { format, language, theme };
      const { segment, ...given } = isPosted ? posted : readParameters(query as Parameters<typeof readParameters>[0]);
      const input = isPosted ? (given as unknown as QueryInput) : readInput(kind.input, given);
      const whole = await withSegment(insights, reached, segment as number, input);
      const asked = inputOfFile(kind, file, whole);
      const result = await insights.query(kind, reached.project, asked, gone);
      if (isFileAsked(file)) return fileOfAnswer({ draw }, reached, { kind, input: asked, result }, file);
      const named = {
        events: kind.events?.(asked) ?? [],
        people: asked.people,
        goal: asked.goal,
        allGoals: kind.usesGoals,
      };
      const [unknown, waiting] = await Promise.all([
        insights.unknownEvents(reached.project, named),
        collect?.waiting() ?? 0,
      ]);
      return withCaveats(result as object, unknown, waiting);
    },
  });
}

/** The people behind a number of the result. */
function peopleOperationOf(kind: AnyKind): Operation {
  const name = capitalized(kind.name);
  const { point } = kind.points as NonNullable<AnyKind['points']>;
  const body = z
    .strictObject({
      query: z.strictObject({ ...kind.input.shape, segment: z.optional(rowId).meta(ofSegment) }),
      /** The number whose people are listed. */
      point,
      ...pointList,
    })
    .meta({ id: `${name}People` });
  return aboutProject({
    id: `query${name}People`,
    method: 'post' as const,
    body,
    path: `/projects/:project/query/${kind.name}/people`,
    isHeavy: true,
    summary: `List the people behind a number of ${kind.name}`,
    scope: 'persons:read',
    minRole: 'member',
    params: schemas.projectPath,
    query: schemas.nothing,
    answer: schemas.PointPeople,
    async run({ insights, profiles }, reached, { body: { query: given, point: asked, asOf, ...list }, gone }) {
      const { segment, ...input } = given as unknown as QueryInput & { segment?: number };
      const query = await withSegment(insights, reached, segment, input);
      const found = await insights.behindPoint(kind, reached.project, query, asked, asOf, gone);
      return profiles.pointPeople(found, reached.project.id, list);
    },
  });
}

function capitalized(name: string): string {
  return `${name[0]?.toUpperCase() ?? ''}${name.slice(1)}`;
}

/** The query with the filters of its segment. @throws AppError `not_found` for a segment that does not exist, or is not theirs to see */
async function withSegment(
  insights: Segments,
  reached: ApiProject,
  segment: number | undefined,
  { filters, people, ...input }: QueryInput,
): Promise<QueryInput> {
  const selection = await withinSegment(insights, reached, segment, { filters, people });
  return {
    ...input,
    ...(selection.filters && { filters: selection.filters }),
    ...(selection.people && { people: selection.people }),
  };
}
