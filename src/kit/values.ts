/** Lengths and names that contracts and forms share: no schemas, so no zod comes along. */

/** Characters of a name of a person, team, project or key. */
export const MAX_SHOWN_NAME_LENGTH = 100;
/** Characters of a name of an event or a property. */
export const MAX_STORED_NAME_LENGTH = 400;

/** Shorter than a date; offered where answers can have minutes. */
export const minutePresets = ['last_30_minutes', 'last_hour'] as const;

/** Stretches of time by name. */
export const rangePresets = [
  ...minutePresets,
  'today',
  'yesterday',
  'last_24_hours',
  'last_7_days',
  'last_7_full_days',
  'last_28_days',
  'last_30_days',
  'last_90_days',
  'this_week',
  'this_month',
  'last_month',
  'this_year',
  'last_12_months',
  'all_time',
] as const;

/** `comma`: CSV as programs read it. `semicolon`: CSV as Excel opens it where a comma is the decimal sign. `xlsx`: a workbook. */
export const tableFormats = ['comma', 'semicolon', 'xlsx'] as const;
export type TableFormat = (typeof tableFormats)[number];

/** The account's choice (null: none), or what spreadsheets in its language open. */
export function tableFormatOf(chosen: TableFormat | null, language: string): TableFormat {
  return chosen ?? (language === 'pt-BR' ? 'semicolon' : 'comma');
}

export function tableExtension(format: TableFormat): 'csv' | 'xlsx' {
  return format === 'xlsx' ? 'xlsx' : 'csv';
}

export function tableType(format: TableFormat): string {
  return format === 'xlsx'
    ? 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
    : 'text/csv; charset=utf-8';
}
