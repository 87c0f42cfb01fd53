/** What experiments measure has a kind: conversions so far. Rewrites definitions; none is lost. */
import type { Knex } from 'knex';

export const name = '0072-experiment-metrics';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    update experiments
       set definition = definition || jsonb_build_object(
             'goal', jsonb_build_object('kind', 'conversion', 'of', definition -> 'goal'),
             'guardrails', (
               select coalesce(jsonb_agg(
                        jsonb_build_object('metric', jsonb_build_object('kind', 'conversion', 'of', each -> 'of'), 'better', each -> 'better')
                        order by place), '[]')
                 from jsonb_array_elements(coalesce(definition -> 'guardrails', '[]')) with ordinality as guardrails (each, place)))
     where not jsonb_exists(definition -> 'goal', 'kind');
  `);
}

/** Other kinds than conversions cannot be told by the version before: those experiments measure their first event or goal then. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create function pg_temp.measured(metric jsonb) returns jsonb language sql as $$
      select coalesce(metric -> 'of' -> 'count', metric -> 'of' -> 'sum', metric -> 'of', metric -> 'steps' -> -1) - 'property'
    $$;
    update experiments
       set definition = (definition - 'plannedLift') || jsonb_build_object(
             'goal', pg_temp.measured(definition -> 'goal'),
             'guardrails', (
               select coalesce(jsonb_agg(
                        jsonb_build_object('of', pg_temp.measured(each -> 'metric'), 'better', each -> 'better') order by place), '[]')
                 from jsonb_array_elements(definition -> 'guardrails') with ordinality as guardrails (each, place)))
     where jsonb_exists(definition -> 'goal', 'kind');
  `);
}
