/**
 * The one spelling of paths and addresses (`pageSpelling` of kit/pages/values.ts) as a function, for filters on rows and for the SQL that
 * explains numbers.
 */
import type { Knex } from 'knex';

export const name = '0031-page-spelling';

const TOKENS =
  '(%(?![0-9a-f]{2})[0-9a-f]?(?:%3[0-9]|%[46][1-6])+)|' +
  '(%2[01247-9acde]|%3[0-9ace]|%[46][0-9a-f]|%5[0-9abd-f]|%7[0-9a-e]|%c[2-9a-f]%[89ab][0-9a-f]|%d[0-9a-f]%[89ab][0-9a-f]|' +
  '%e0%[ab][0-9a-f]%[89ab][0-9a-f]|%e[1-9a-cef](?:%[89ab][0-9a-f]){2}|%ed%[89][0-9a-f]%[89ab][0-9a-f]|' +
  '%f0%[9ab][0-9a-f](?:%[89ab][0-9a-f]){2}|%f[1-3](?:%[89ab][0-9a-f]){3}|%f4%8[0-9a-f](?:%[89ab][0-9a-f]){2})|' +
  '(%[0-9a-f]{2})|([^%]+|%)';

export async function up(knex: Knex): Promise<void> {
  // A question mark would be taken for a parameter.
  const tokens = TOKENS.replaceAll('?', '\\?');
  await knex.raw(`
    create function page_spelling(value text) returns text language sql immutable parallel safe as $$
      select case when value ~ '^[ -$&-~]*$' then value else normalize((
        select string_agg(
          case when m[2] is not null then convert_from(decode(replace(m[2], '%', ''), 'hex'), 'UTF8')
               else coalesce(m[4], upper(coalesce(m[1], m[3]))) end, '' order by place)
        from regexp_matches(value, '${tokens}', 'gi') with ordinality as token (m, place)), NFC) end
    $$;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function if exists page_spelling(text)');
}
