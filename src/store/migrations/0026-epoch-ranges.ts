/**
 * Ranges of the index by epoch are four times as large: every question looks through all of them for rows that are not sealed, and the more is
 * stored the more there are. Makes the index anew, which reads all events: some seconds for each ten million, in which nothing is stored.
 */
import type { Knex } from 'knex';

export const name = '0026-epoch-ranges';

export async function up(knex: Knex): Promise<void> {
  await makeWith(knex, 64);
}

export async function down(knex: Knex): Promise<void> {
  await makeWith(knex, 16);
}

async function makeWith(knex: Knex, pages: number): Promise<void> {
  await knex.raw(`
    drop index events_epoch;
    create index events_epoch on events using brin (epoch) with (pages_per_range = ${pages}, autosummarize = on);
  `);
}
