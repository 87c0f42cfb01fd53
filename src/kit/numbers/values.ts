/**
 * How numbers and amounts of money are written in texts, in English and in Portuguese: `1,234.56`, `1.234,56`, `R$ 10,00`, `12 EUR`. The one
 * reader of them, for sums, filters and forms. Its regular expressions mean the same in JavaScript and in PostgreSQL, which reads the same way.
 */

/** Decimal separator of a project's texts: decides the meaning of `1.234` and `1,234`. */
export const decimalSeparators = ['point', 'comma'] as const;
export type DecimalSeparator = (typeof decimalSeparators)[number];

/** Longer texts are read only when they are digits with a point: programs write such, people do not. */
export const MAX_WRITTEN_LENGTH = 64;
/** Longer texts are not read as numbers. */
export const MAX_NUMBER_LENGTH = 1000;
/** Digits with a point. */
export const LONG_NUMBER = '^-?[0-9]+([.][0-9]+)?$';

/** Stands for an unrecognized currency. Never a code: those have three capitals. */
export const UNKNOWN_CURRENCY = 'unknown';

/** Signs that mean one currency. What is not here, and no code, is unknown. */
export const currencySigns: Readonly<Record<string, string>> = {
  R$: 'BRL',
  US$: 'USD',
  U$: 'USD',
  '€': 'EUR',
  '£': 'GBP',
  A$: 'AUD',
  AU$: 'AUD',
  CA$: 'CAD',
  HK$: 'HKD',
  MX$: 'MXN',
  NT$: 'TWD',
  NZ$: 'NZD',
  'CN¥': 'CNY',
  'JP¥': 'JPY',
  '₡': 'CRC',
  '₦': 'NGN',
  '₩': 'KRW',
  '₪': 'ILS',
  '₫': 'VND',
  '₭': 'LAK',
  '₮': 'MNT',
  '₱': 'PHP',
  '₲': 'PYG',
  '₴': 'UAH',
  '₵': 'GHS',
  '₸': 'KZT',
  '₹': 'INR',
  '₺': 'TRY',
  '₼': 'AZN',
  '₽': 'RUB',
  '₾': 'GEL',
  '฿': 'THB',
};

const DOLLARS_AND_PESOS = [
  'USD',
  'ARS',
  'AUD',
  'BBD',
  'BMD',
  'BSD',
  'BZD',
  'CAD',
  'CLP',
  'COP',
  'CUP',
  'DOP',
  'FJD',
  'GYD',
  'HKD',
  'JMD',
  'KYD',
  'LRD',
  'MXN',
  'NAD',
  'NZD',
  'SBD',
  'SGD',
  'SRD',
  'TTD',
  'TWD',
  'UYU',
  'XCD',
];

/** Signs that several currencies share: they mean the goal's currency if it is one of these; otherwise the currency is unknown. */
export const sharedSigns: Readonly<Record<string, readonly string[]>> = {
  $: DOLLARS_AND_PESOS,
  '¥': ['CNY', 'JPY'],
};

/** Codes that may stand beside an amount: other words of three letters (`10 mil`, `5 min`) make it something else. */
const CODES_BESIDE =
  'AED ARS AUD BOB BRL CAD CHF CLP CNY COP CRC CZK DKK EUR GBP HKD HUF IDR ILS INR JPY KRW MXN MYR MZN ' +
  'NGN NOK NZD PEN PHP PLN PYG RON RUB SAR SEK SGD THB TRY TWD UAH USD UYU VND ZAR';

const SPACES = '[ \\t\\n\\r\\f\\u00a0\\u2007\\u2009\\u202f]*';
const SIGN = '[-+\\u2212]';
const CURRENCY = `(?:[A-Za-z]{0,2}[$£¥฿₠-₿]|${CODES_BESIDE.replaceAll(' ', '|')})`;
const DIGITS = '[0-9.,]*[0-9]';

/** Spaces around, one sign, one currency before or after it. */
export const WRITTEN_NUMBER =
  `^${SPACES}(?:(?:${SIGN}${SPACES}(?:${CURRENCY}${SPACES})?|${CURRENCY}${SPACES}(?:${SIGN}${SPACES})?)?${DIGITS}` +
  `|(?:${SIGN}${SPACES})?${DIGITS}${SPACES}${CURRENCY})${SPACES}$`;

/** Scientific notation of very large and small numbers. */
export const SCIENTIFIC_NUMBER = `^${SPACES}[-+]?[0-9]+([.][0-9]+)?[eE][-+]?[0-9]{1,3}${SPACES}$`;

/** Digits and their separators, as they stand in either way of writing. */
export const bySeparator: Readonly<Record<DecimalSeparator, string>> = {
  point: '^([0-9]+|[0-9]*[.][0-9]+|[1-9][0-9]{0,2}(,[0-9]{3})+([.][0-9]+)?)$',
  comma: '^([0-9]+|[0-9]*,[0-9]+|[1-9][0-9]{0,2}([.][0-9]{3})+(,[0-9]+)?)$',
};

/** Around a code or sign of a currency. */
export const SPACES_AROUND = `^${SPACES}|${SPACES}$`;

const written = new RegExp(WRITTEN_NUMBER);
const scientific = new RegExp(SCIENTIFIC_NUMBER);
const forms = { point: new RegExp(bySeparator.point), comma: new RegExp(bySeparator.comma) };
// Marked so that pages that read no currency do without it.
const spaces = /* @__PURE__ */ new RegExp(SPACES_AROUND, 'g');
const long = new RegExp(LONG_NUMBER);
const WHOLE = /^-?[0-9]{1,63}$/;
const BY_POINT = /^-?[0-9]{1,30}[.][0-9]{1,30}$/;

/** The number that is the whole text; otherwise NaN. @param decimal the separator for ambiguous texts */
export function readNumber(text: string, decimal: DecimalSeparator = 'point'): number {
  if (WHOLE.test(text) || (decimal === 'point' && BY_POINT.test(text))) return Number(text);
  if (text.length > MAX_WRITTEN_LENGTH)
    return text.length <= MAX_NUMBER_LENGTH && long.test(text) ? finite(Number(text)) : Number.NaN;
  if (scientific.test(text)) return finite(Number(text));
  if (!written.test(text)) return Number.NaN;
  const digits = text.replace(/[^0-9.,]/g, '');
  const own = decimal === 'point' ? ['point', 'comma'] : ['comma', 'point'];
  const form = own.find((each) => forms[each as DecimalSeparator].test(digits));
  if (form === undefined) return Number.NaN;
  const number = Number(form === 'point' ? digits.replaceAll(',', '') : digits.replaceAll('.', '').replace(',', '.'));
  return /[-\u2212]/.test(text) ? -number : number;
}

/** The largest there is, for numbers beyond it. */
function finite(number: number): number {
  return Math.min(Math.max(number, -Number.MAX_VALUE), Number.MAX_VALUE);
}

/** Numbers, and texts that say nothing but a number; else NaN. */
export function numberOf(value: unknown, decimal: DecimalSeparator = 'point'): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? readNumber(value, decimal) : Number.NaN;
}

/**
 * The currency code of a property, or of the symbol beside an amount.
 * @param goal the goal's currency, which resolves symbols that several share; '' for none
 * @returns null without a currency, `UNKNOWN_CURRENCY` for an unrecognized one
 */
export function readCurrency(value: unknown, goal: string): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') return UNKNOWN_CURRENCY;
  const text = value.replace(spaces, '');
  if (text === '') return null;
  if (/^[A-Za-z]{3}$/.test(text)) return text.toUpperCase();
  const sign = text.toUpperCase();
  if (Object.hasOwn(currencySigns, sign)) return currencySigns[sign] as string;
  const isGoals = Object.hasOwn(sharedSigns, sign) && sharedSigns[sign]?.includes(goal);
  return isGoals ? goal : UNKNOWN_CURRENCY;
}

/** The currency that stands beside the amount in a text that `readNumber` reads. @param goal, @returns as of `readCurrency` */
export function currencyBeside(amount: unknown, goal: string): string | null {
  if (typeof amount !== 'string' || scientific.test(amount)) return null;
  return readCurrency(amount.replace(BESIDE, ''), goal);
}

/** Characters of an amount besides its currency. */
export const NOT_CURRENCY = '[-+\\u22120-9., \\t\\n\\r\\f\\u00a0\\u2007\\u2009\\u202f]';
const BESIDE = /* @__PURE__ */ new RegExp(NOT_CURRENCY, 'g');
