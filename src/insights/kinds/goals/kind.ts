/** The kind `goals`: conversions of every goal of the project. */
import { defineKind } from '../../define.ts';
import { compareParameters, per } from '../../query/parameters.ts';
import { goalFiguresInput } from './contract.ts';
import { goalsFile } from './csv.ts';
import { goalsNumbers } from './numbers.ts';
import { GoalFigures } from './result.ts';
import { runGoalFigures } from './run.ts';
import { summarizeGoals } from './summarize.ts';

export const goals = defineKind({
  name: 'goals',
  input: goalFiguresInput,
  result: GoalFigures,
  access: 'viewer',
  summary: 'Conversions of each goal: events, people, conversion rate of the visitors, revenue by currency',
  parameters: { ...compareParameters, per },
  usesGoals: true,
  csv: goalsFile,
  numbers: goalsNumbers,
  summarize: summarizeGoals,
  run: ({ columns, scope, people, goals: all, now }, input) =>
    runGoalFigures(columns, scope, all, { ...input, people }, now),
});
