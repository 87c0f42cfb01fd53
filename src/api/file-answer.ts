/** Answers that are files: results of queries as tables, and as charts. */
import * as z from 'zod';
import type { QueryInput } from '#src/insights/define.ts';
import { drawingLanguages, drawingThemes, drawnKinds } from '#src/insights/drawing/contract.ts';
import type { AnyKind } from '#src/insights/kinds/all-kinds.ts';
import { invalid } from '#src/kit/errors.ts';
import { dataOf, inPieces, tableFile } from '#src/kit/table-file.ts';
import { tableType } from '#src/kit/values.ts';
import { ApiFile } from './api-file.ts';
import type { ApiProject, OperationContext } from './operation.ts';

const types = {
  csv: tableType('comma'),
  xlsx: tableType('xlsx'),
  svg: 'image/svg+xml',
} as const;
type FileFormat = keyof typeof types;

/** Files that a result of the kind can be. */
export function formatsOf({ name, csv }: Pick<AnyKind, 'name' | 'csv'>): FileFormat[] {
  const isTable = csv?.options.safeParse({}).success === true;
  const isDrawn = drawnKinds.some((kind) => kind === name);
  return [...(isTable ? (['csv', 'xlsx'] as const) : []), ...(isDrawn ? (['svg'] as const) : [])];
}

/** Types of these files, for the description. */
export function typesOf(formats: readonly FileFormat[]): string[] {
  return formats.map((format) => types[format]);
}

/** Parameters of a result that can be files. */
export function fileParameters(formats: readonly FileFormat[]): z.ZodRawShape {
  if (formats.length === 0) return {};
  const format = z
    .enum(['json', ...formats])
    .default('json')
    .meta({ description: 'What is answered. Files have the columns that screens export.' });
  if (!formats.includes('svg')) return { format };
  return {
    format,
    language: z.enum(drawingLanguages).default('en').meta({ description: 'Of the words in a chart.' }),
    theme: z.enum(drawingThemes).default('light').meta({ description: 'Of a chart.' }),
  };
}

export interface FileAsked {
  format?: unknown;
  language?: unknown;
  theme?: unknown;
}

export interface AnsweredQuery {
  kind: AnyKind;
  input: QueryInput;
  result: unknown;
  display?: unknown;
  name?: string;
}

/** True when a file is asked for. */
export function isFileAsked({ format }: FileAsked): boolean {
  return format !== undefined && format !== 'json';
}

/** The query of a file: with all rows, where screens show some. */
export function inputOfFile({ csv }: Pick<AnyKind, 'csv'>, { format }: FileAsked, input: QueryInput): QueryInput {
  return format === 'csv' || format === 'xlsx' ? (csv?.inFull?.(input) ?? input) : input;
}

/** @throws AppError `invalid` for a format that the kind does not have */
export async function fileOfAnswer(
  { draw }: Pick<OperationContext['rooms'], 'draw'>,
  { project }: Pick<ApiProject, 'project'>,
  { kind, input, result, display, name }: AnsweredQuery,
  { format, language, theme }: FileAsked,
): Promise<ApiFile> {
  if (format === 'svg') {
    const look = {
      language: drawingLanguages.find((each) => each === language) ?? 'en',
      theme: drawingThemes.find((each) => each === theme) ?? 'light',
    };
    const svg = await draw({ project, kind: kind.name, input, display, result, name }, look);
    if (svg !== null) return new ApiFile(types.svg, `${kind.name}.svg`, svg);
  }
  const options = kind.csv?.options.safeParse({});
  if ((format !== 'csv' && format !== 'xlsx') || kind.csv === undefined || options?.success !== true)
    throw invalid('format', `Results of ${kind.name} have no such file.`);
  const rows = kind.csv.rows(result, { input, options: options.data, textOf: (_, value) => value });
  const file = tableFile(inPieces(rows), format === 'xlsx' ? 'xlsx' : 'comma');
  return new ApiFile(types[format], `${kind.name}.${format}`, dataOf(file));
}
