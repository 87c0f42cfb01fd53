/** Operators of stored filters get the names that the API has. */
import type { Knex } from 'knex';
import { type Renamed, renameInDefinitions, reversed } from '../rename-in-definitions.ts';

export const name = '0029-operator-names';

const renamed: Renamed = [
  ['is', 'equals'],
  ['isNot', 'notEquals'],
  ['containsNot', 'notContains'],
  ['matches', 'regex'],
  ['matchesNot', 'notRegex'],
  ['above', 'gt'],
  ['below', 'lt'],
];

const member = (operator: string) => `"operator": "${operator}"`;

export function up(knex: Knex): Promise<void> {
  return renameInDefinitions(knex, renamed, member, { goals: 2, segments: 3 });
}

export function down(knex: Knex): Promise<void> {
  return renameInDefinitions(knex, reversed(renamed), member, { goals: 1, segments: 2 });
}
