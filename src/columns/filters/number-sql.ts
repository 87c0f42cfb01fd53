/** Numbers and currencies of texts as SQL: the same as `kit/numbers` reads. */
import {
  bySeparator,
  currencySigns,
  type DecimalSeparator,
  LONG_NUMBER,
  MAX_NUMBER_LENGTH,
  MAX_WRITTEN_LENGTH,
  NOT_CURRENCY,
  SCIENTIFIC_NUMBER,
  SPACES_AROUND,
  sharedSigns,
  UNKNOWN_CURRENCY,
  WRITTEN_NUMBER,
} from '#src/kit/numbers/values.ts';
import { type Sql, sql } from '#src/store/sql.ts';

/** SQL: the number that is the whole text; otherwise null. */
export function textNumberSql(text: Sql, decimal: DecimalSeparator = 'point'): Sql {
  const byPoint = sql`when digits ~ ${bySeparator.point} then replace(digits, ',', '')::float8`;
  const byComma = sql`when digits ~ ${bySeparator.comma} then translate(digits, ',.', '.')::float8`;
  const [first, second] = decimal === 'point' ? [byPoint, byComma] : [byComma, byPoint];
  const largest = sql`${String(Number.MAX_VALUE)}::numeric`;
  // Out-of-range casts to "double precision" are errors, so values are clamped first.
  const finite = (number: Sql) => sql`round(least(greatest(${number}::numeric, -${largest}), ${largest}), 330)::float8`;
  return sql`(
      select
      case
      when length(text) > ${MAX_NUMBER_LENGTH} then null
      when length(text) > ${MAX_WRITTEN_LENGTH} then
      case when text ~ ${LONG_NUMBER} then ${finite(sql`text`)} end
      when text ~ ${SCIENTIFIC_NUMBER} then ${finite(sql`regexp_replace(text, '[^-+0-9.eE]', '', 'g')`)}
      when text ~ ${WRITTEN_NUMBER} then
      case when text ~ '[-\u2212]' then -1 else 1 end * case ${first} ${second} end
      end
      from (select text, regexp_replace(text, '[^0-9.,]', '', 'g') as digits from (select ${text} as text) as sent) as read
      )`;
}

/** Numbers, and texts that say nothing but a number, of a value as jsonb. */
export function numberSql(value: Sql, decimal?: DecimalSeparator): Sql {
  const plain = sql`(${value} #>> '{}')`;
  return sql`case jsonb_typeof(${value})
      when 'number' then ${plain}::float8
      when 'string' then ${textNumberSql(plain, decimal)}
      end`;
}

/** SQL: currency code of a text; null when it has none. @param goal the goal's currency, '' for none */
export function currencySql(text: Sql, goal: string): Sql {
  const own = Object.keys(sharedSigns).filter((sign) => sharedSigns[sign]?.includes(goal));
  const signs = { ...currencySigns, ...Object.fromEntries(own.map((sign) => [sign, goal])) };
  const said = sql`regexp_replace(${text}, ${SPACES_AROUND}, '', 'g')`;
  return sql`case
      when ${said} = '' then null
      when ${said} ~ '^[A-Za-z]{3}$' then upper(${said})
      when ${text} is not null then coalesce(${JSON.stringify(signs)}::jsonb ->> upper(${said}), ${UNKNOWN_CURRENCY})
      end`;
}

/** SQL: the part of an amount's text besides its number. */
export function besideAmountSql(text: Sql): Sql {
  return sql`case when ${text} ~ ${SCIENTIFIC_NUMBER} then null
      else regexp_replace(${text}, ${NOT_CURRENCY}, '', 'g') end`;
}
