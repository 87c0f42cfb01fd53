/** Conditions on dates as SQL: the same as date-times.ts decides. */
import { type Sql, sql } from '#src/store/sql.ts';
import { DATE_TIME, MOMENT } from '../values.ts';
import { boundOf, type PlacedCondition } from './date-times.ts';
import { meaningOf } from './operators.ts';

/** SQL: true when the text is a date on the condition's side; null when it is no date. */
export function dateSql(text: Sql, condition: PlacedCondition): Sql {
  const { at, wall } = boundOf(condition);
  const meaning = meaningOf(condition.operator);
  const than = meaning.takes === 'date' && meaning.keeps === 'before' ? sql`<` : sql`>=`;
  const moment = new Date(at).toISOString();
  const clock = new Date(wall).toISOString().slice(0, -1);
  const cut = sql`regexp_replace(${text}, '([.][0-9]{3})[0-9]+', '\\1')`;
  return sql`case when ${text} ~ ${DATE_TIME} then case
      when ${text} ~ ${MOMENT} then ${cut}::timestamptz ${than} ${moment}::timestamptz
      else ${cut}::timestamp ${than} ${clock}::timestamp end end`;
}
