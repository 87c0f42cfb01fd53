/** How a project reads values (`Reader`), as SQL: for filters on rows, and for the SQL that explains numbers. Tests hold it to the engine. */
import { namesPage } from '#src/kit/pages/values.ts';
import { likePattern } from '#src/kit/patterns/values.ts';
import { channelFields } from '#src/kit/reading/channels/values.ts';
import { proxyHosts } from '#src/kit/reading/hosts.ts';
import { HASH_ROUTE, pathStepNames, pathSteps } from '#src/kit/reading/paths/values.ts';
import { isRead, type Reader } from '#src/kit/reading/reader.ts';
import { type Sql, sql } from '#src/store/sql.ts';

/**
 * SQL: normalized value of a property, as jsonb.
 * @param value as sent, as jsonb
 * @param group properties of its group; null: none
 */
export function readSql(reader: Reader, property: string, value: Sql, group: Sql | null): Sql {
  if (group !== null && property === '$channel_type' && reader.rules.channelRules.length > 0) {
    return channelSql(reader, value, group);
  }
  if (!isRead(reader, property)) return value;
  const text = sql`(${value} #>> '{}')`;
  const besides = group === null ? [] : reader.besides(property);
  const read =
    property === '$host'
      ? hostSql(reader, text)
      : textReadSql(reader, property, text, besides.length > 0 ? group : null);
  return sql`(case jsonb_typeof(${value}) when 'string' then to_jsonb(${read}) else ${value} end)`;
}

/** The same of a text. @param group as of `readSql` */
export function textReadSql(reader: Reader, property: string, text: Sql, group: Sql | null = null): Sql {
  if (!namesPage(property)) return text;
  if (!reader.isRuledPath(property)) return sql`page_spelling(${text})`;
  const { pathRules } = reader.rules;
  const [address] = reader.besides(property);
  const route =
    group === null || address === undefined
      ? sql.empty
      : sql` || coalesce('#' || substring(${group} ->> ${address} from ${HASH_ROUTE}), '')`;
  let path = sql`page_spelling(${text}${route})`;
  if (pathRules.letterCase) path = sql`lower(${path})`;
  for (const name of pathStepNames) {
    const [found, instead] = pathSteps[name];
    if (pathRules[name]) path = sql`regexp_replace(${path}, ${found}, ${instead}, 'gi')`;
  }
  const { patterns } = reader.paths;
  if (patterns.length === 0) return path;
  const names = patterns.map(({ name }) => name);
  const cases = patterns.map(({ name, source }) => sql`when path ~ ${source} then ${name}::text`);
  return sql`(select case when path = any(${names}::text[]) then path ${sql.join(cases, sql` `)} else path end
      from (select ${path} as path) as read)`;
}

function hostSql({ rules: { primaryHost, otherHosts } }: Reader, text: Sql): Sql {
  const hosts = [...proxyHosts, ...otherHosts];
  const exact = hosts.filter((host) => !host.startsWith('*.'));
  const below = hosts.filter((host) => host.startsWith('*.')).map((host) => likePattern(host));
  return sql`case when lower(${text}) = any(${exact}::text[]) or lower(${text}) like any(${below}::text[])
      then ${primaryHost}::text else ${text} end`;
}

function channelSql({ rules: { channelRules } }: Reader, value: Sql, group: Sql): Sql {
  const cases = channelRules.map(({ channel, when }) => {
    const fits = when.map(
      ({ field, like }) => sql`${saidSql(group, channelFields[field])} like ${likePattern(like.toLowerCase())}`,
    );
    return sql`when ${sql.join(fits, sql` and `)} then to_jsonb(${channel}::text)`;
  });
  return sql`(case ${sql.join(cases, sql` `)} else ${value} end)`;
}

/** Texts and numbers in lower case; '' for all else. */
function saidSql(group: Sql, property: string): Sql {
  return sql`(case when jsonb_typeof(${group} -> ${property}) in ('string', 'number') then lower(${group} ->> ${property}) else '' end)`;
}
