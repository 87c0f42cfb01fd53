/** Fields of visits in stored filters get the names that the API has. */
import type { Knex } from 'knex';
import { type Renamed, renameInDefinitions, reversed } from '../rename-in-definitions.ts';

export const name = '0032-field-names';

const renamed: Renamed = [
  ['system', 'os'],
  ['screenSize', 'viewportWidth'],
];

/** Of a condition on visits. `jsonb` writes shorter keys first, so the name is before `about`. */
const member = (field: string) => `"name": "${field}", "about": "session"`;

export function up(knex: Knex): Promise<void> {
  return renameInDefinitions(knex, renamed, member, { goals: 3, segments: 4 });
}

export function down(knex: Knex): Promise<void> {
  return renameInDefinitions(knex, reversed(renamed), member, { goals: 2, segments: 3 });
}
