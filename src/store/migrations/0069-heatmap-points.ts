/** Where visitors clicked on pages, and how far they scrolled. Names nobody: neither person nor visit. Creates a table only. */
import type { Knex } from 'knex';

export const name = '0069-heatmap-points';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table heatmap_points (
      project_id int not null,
      uuid uuid not null,                              -- of the event that it came with, against copies
      place smallint not null,                         -- among the points of the event
      ts timestamptz not null,
      kind smallint not null,                          -- 1 click, 2 rage click, 3 dead click, 4 scroll depth
      host text not null,
      page text not null,                              -- path, with a route behind #
      width int not null,                              -- of the viewport, CSS px
      x smallint not null,                             -- thousandths of the width; 0: scroll depth
      y int not null,                                  -- CSS px from the top of the page; scroll depth: thousandths of the page
      fixed boolean not null,                          -- on an element that does not scroll: y is from the top of the viewport
      primary key (project_id, uuid, place)
    );
    create index heatmap_points_ts on heatmap_points (project_id, ts);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table if exists heatmap_points');
}
