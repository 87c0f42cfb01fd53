/** The type of an operation. */
import type * as z from 'zod';
import type { Reader } from '#src/accounts/contract.ts';
import type { DrawAnswer } from '#src/insights/drawing/contract.ts';
import { noting, withinBoth } from '#src/insights/insights.ts';
import { notFound } from '#src/kit/errors.ts';
import type { KeyScope } from '#src/projects/api-keys/contract.ts';
import type { Role } from '#src/projects/contract.ts';
import type { Rooms } from '#src/trpc/context.ts';
import type { ScopedProject } from '#src/trpc/procedure.ts';
import type { ApiFile } from './api-file.ts';

/** Version of the API: in every address and answer. */
export const API_VERSION = '1';

/** Context of an operation besides its input. */
export interface OperationContext {
  rooms: Pick<
    Rooms,
    | 'deps'
    | 'accounts'
    | 'people'
    | 'history'
    | 'insights'
    | 'dashboards'
    | 'alerts'
    | 'reports'
    | 'sharing'
    | 'flags'
    | 'experiments'
    | 'errors'
    | 'replays'
    | 'collect'
    | 'profiles'
  > & { draw: DrawAnswer };
  /** Projects that the key reaches, with the role of its owner in each. */
  projects(): Promise<ApiProject[]>;
}

export interface ApiProject {
  /** `seesPersons`: both the key and its owner may know of them. */
  project: ScopedProject;
  team: { id: number; name: string };
  role: Role;
  /** The owner of the key. */
  reader: Pick<Reader, 'id' | 'name' | 'email'>;
  /** Network address of the request, for the log. */
  address: string | null;
}

type Schema = z.ZodObject;

export interface Operation<
  Path extends Schema = Schema,
  Query extends Schema = Schema,
  Answer extends z.ZodType = z.ZodType,
  Body extends Schema = Schema,
> {
  /** Stable: in the description. */
  id: string;
  /** Absent: it reads, by GET. */
  method?: 'post' | 'patch' | 'delete';
  /** Below `/api/v1`, as express has it. With `:project` it is about one project. */
  path: string;
  summary: string;
  scope: KeyScope;
  /** A second scope, of what answers more than the first allows. */
  alsoNeeds?: KeyScope;
  /** The least role of the key's owner in the project's team. */
  minRole: Role;
  params: Path;
  query: Query;
  /** Request body. */
  body?: Body;
  /** Instead: a file of at most so many bytes. */
  file?: { maxBytes: number; description: string };
  /** `large`: up to 512 kB, for lists of ids; absent: up to 16 kB. */
  bodySize?: 'small' | 'large';
  /** It counts events, so a key has a few of them at once. */
  isHeavy?: boolean;
  answer: Answer;
  /** Types of files that it can answer instead. */
  files?: readonly string[];
  /** @param reached the project of the address; absent for what is about none */
  run(
    asked: OperationContext,
    input: Input<Path, Query, Body> & { reached: ApiProject | null },
  ): Promise<z.output<Answer> | ApiFile>;
}

interface Input<Path extends Schema, Query extends Schema, Body extends Schema> {
  params: z.output<Path>;
  query: z.output<Query>;
  body: z.output<Body>;
  /** Empty for operations without one. */
  file: Buffer;
  /** Fires when the caller has hung up. */
  gone: AbortSignal;
}

/** An entry about one project: its `run` gets the project instead of the reference to it. */
export function aboutProject<
  Path extends Schema,
  Query extends Schema,
  Answer extends z.ZodType,
  Body extends Schema = Schema,
>({
  run,
  ...operation
}: Omit<Operation<Path, Query, Answer, Body>, 'run'> & {
  run(
    rooms: OperationContext['rooms'],
    project: ApiProject,
    input: Input<Path, Query, Body>,
  ): Promise<z.output<Answer> | ApiFile>;
}): Operation {
  return {
    ...operation,
    run(asked, { params, query, body, file, gone, reached }) {
      if (reached === null) throw new Error(`${operation.id} belongs to a project`);
      const input = { params, query, body, file, gone } as Input<Path, Query, Body>;
      return run(asked.rooms, reached, input);
    },
  };
}

/** Access to a project's segments. */
export type Segments = Pick<OperationContext['rooms']['insights'], 'segments'>;

/**
 * The filters and sets of persons together with those of a segment.
 * @throws AppError `not_found` for a segment that is not there, or not theirs to see
 */
export async function withinSegment(
  { segments }: Segments,
  { project, role, reader }: ApiProject,
  segment: number | undefined,
  which: Parameters<typeof withinBoth>[1],
): Promise<Parameters<typeof withinBoth>[1]> {
  if (segment === undefined) return which;
  const found = (await segments.list({ project: project.id, role, reader })).find(({ id }) => id === segment);
  if (found === undefined) throw notFound('segment');
  return withinBoth(found, which);
}

/** Enters a change in the log of the team, as its key's owner made it. */
export function noted(
  { accounts }: OperationContext['rooms'],
  { reader, project, address }: ApiProject,
  action: Parameters<typeof noting>[1],
): ReturnType<typeof noting> {
  return noting({ accounts, reader, project, client: { address } }, action);
}
