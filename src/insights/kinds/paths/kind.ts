/** The kind `paths`: which pages and events follow each other. */
import { defineKind } from '../../define.ts';
import { pathsInput } from './contract.ts';
import { pathsFile } from './csv.ts';
import { Paths } from './result.ts';
import { runPaths } from './run.ts';

export const paths = defineKind({
  name: 'paths',
  input: pathsInput,
  result: Paths,
  access: 'viewer',
  summary: 'Query paths: transitions between pages and events',
  csv: pathsFile,
  run: runPaths,
});
