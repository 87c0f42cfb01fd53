/** Rare properties are packed into columns of a chunk instead of being left out. Locks `chunks` for a moment. */
import type { Knex } from 'knex';

export const name = '0040-packed-properties';

export async function up(knex: Knex): Promise<void> {
  // By how many bits of a hash of their names; null: left out by an earlier version, so that `rare` is read from rows.
  await knex.raw('alter table chunks add column packed_bits smallint');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from chunk_columns where name like 'packed:%';
    update chunks set rare = null where rare is null or cardinality(rare) > 0;
    alter table chunks drop column packed_bits`);
}
