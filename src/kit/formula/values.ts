/** Formulas over lettered series: `(A - B) / A`. Letters, numbers, + - * / and parentheses; read by the browser too. Pure. */

/** Characters of a formula. */
export const MAX_FORMULA = 200;
/** Parentheses and signs within each other. */
const MAX_DEPTH = 20;

export type Formula =
  | { number: number }
  /** Place of the series: A is 0. */
  | { series: number }
  | { negated: Formula }
  | { operator: Operator; left: Formula; right: Formula };
type Operator = '+' | '-' | '*' | '/';

/** What is wrong with a formula. */
export interface FormulaProblem {
  problem: 'empty' | 'tooLong' | 'tooDeep' | 'unexpected' | 'incomplete' | 'unclosed' | 'noSeries';
  /** The part that is wrong, as it was written; '' at the end. */
  part: string;
  /** Of its first character, from 1 on. */
  position: number;
}

export type ParsedFormula = { formula: Formula } | { error: FormulaProblem };

interface Token {
  kind: 'number' | 'letter' | 'sign' | 'unknown';
  text: string;
  /** Of its first character, from 0 on. */
  at: number;
}

/** Signs as they are typed and as they are printed. */
const signs: Readonly<Record<string, string>> = { '×': '*', '·': '*', '÷': '/', '−': '-', '–': '-' };

/** @param seriesCount how many series there are to name; absent: any letter is one */
export function parseFormula(text: string, seriesCount = 26): ParsedFormula {
  if (text.length > MAX_FORMULA) return { error: { problem: 'tooLong', part: '', position: MAX_FORMULA + 1 } };
  try {
    return { formula: new Parser(text, seriesCount).parse() };
  } catch (error) {
    if (error instanceof Refused) return { error: error.details };
    throw error;
  }
}

class Refused extends Error {
  readonly details: FormulaProblem;

  constructor(details: FormulaProblem) {
    super(details.problem);
    this.details = details;
  }
}

/** Recursive descent: sums of products of factors. */
class Parser {
  private readonly tokens: readonly Token[];
  private readonly end: number;
  private readonly seriesCount: number;
  private place = 0;
  private depth = 0;

  constructor(text: string, seriesCount: number) {
    this.tokens = tokensOf(text);
    this.end = text.trimEnd().length;
    this.seriesCount = seriesCount;
  }

  parse(): Formula {
    if (this.tokens.length === 0) throw new Refused({ problem: 'empty', part: '', position: 1 });
    const formula = this.sum();
    const left = this.tokens[this.place];
    if (left !== undefined) throw refused('unexpected', left);
    return formula;
  }

  private sum(): Formula {
    let left = this.product();
    for (let sign = this.take('+', '-'); sign !== null; sign = this.take('+', '-')) {
      left = { operator: sign as Operator, left, right: this.product() };
    }
    return left;
  }

  private product(): Formula {
    let left = this.factor();
    for (let sign = this.take('*', '/'); sign !== null; sign = this.take('*', '/')) {
      left = { operator: sign as Operator, left, right: this.factor() };
    }
    return left;
  }

  private factor(): Formula {
    const token = this.tokens[this.place];
    if (token === undefined) throw new Refused({ problem: 'incomplete', part: '', position: this.end + 1 });
    this.place++;
    if (token.kind === 'number') return { number: Number(token.text) };
    if (token.kind === 'letter') {
      const series = token.text.toUpperCase().charCodeAt(0) - 'A'.charCodeAt(0);
      if (series >= this.seriesCount) throw refused('noSeries', token);
      return { series };
    }
    if (token.text === '-') return { negated: this.within(token, () => this.factor()) };
    if (token.text !== '(') throw refused('unexpected', token);
    return this.within(token, () => {
      const formula = this.sum();
      if (this.take(')') === null) {
        const next = this.tokens[this.place];
        throw next === undefined ? refused('unclosed', token) : refused('unexpected', next);
      }
      return formula;
    });
  }

  private within(token: Token, read: () => Formula): Formula {
    this.depth++;
    if (this.depth > MAX_DEPTH) throw refused('tooDeep', token);
    const formula = read();
    this.depth--;
    return formula;
  }

  private take(...wanted: string[]): string | null {
    const token = this.tokens[this.place];
    if (token?.kind !== 'sign' || !wanted.includes(token.text)) return null;
    this.place++;
    return token.text;
  }
}

function refused(problem: FormulaProblem['problem'], { text, at }: Token): Refused {
  return new Refused({ problem, part: text, position: at + 1 });
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const { 0: found, index: at } of text.matchAll(/\d+(?:\.\d+)?|[\p{L}\p{N}_.,]+|[^\s]/gu)) {
    const sign = signs[found] ?? found;
    if (/^\d+(\.\d+)?$/.test(found)) tokens.push({ kind: 'number', text: found, at });
    else if (/^[A-Za-z]$/.test(found)) tokens.push({ kind: 'letter', text: found, at });
    else if ('+-*/()'.includes(sign)) tokens.push({ kind: 'sign', text: sign, at });
    else tokens.push({ kind: 'unknown', text: found, at });
  }
  return tokens;
}

/**
 * What a formula comes to. Null: a series has no value, or it divides by zero.
 * @param seriesValue the value of a series, by its place
 */
export function evaluateFormula(formula: Formula, seriesValue: (series: number) => number | null): number | null {
  const value = evaluate(formula, seriesValue);
  return value === null || !Number.isFinite(value) ? null : value;
}

function evaluate(formula: Formula, seriesValue: (series: number) => number | null): number | null {
  if ('number' in formula) return formula.number;
  if ('series' in formula) return seriesValue(formula.series);
  if ('negated' in formula) {
    const value = evaluate(formula.negated, seriesValue);
    // Not −0, which would be another number than 0.
    return value === null ? null : 0 - value;
  }
  const left = evaluate(formula.left, seriesValue);
  const right = evaluate(formula.right, seriesValue);
  if (left === null || right === null) return null;
  switch (formula.operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return right === 0 ? null : left / right;
  }
}

/** Places of the series that a formula names, ascending. */
export function seriesOfFormula(formula: Formula): number[] {
  if ('number' in formula) return [];
  if ('series' in formula) return [formula.series];
  const parts = 'negated' in formula ? [formula.negated] : [formula.left, formula.right];
  return [...new Set(parts.flatMap(seriesOfFormula))].sort((one, other) => one - other);
}

/** The same formula with other letters. @param placeOf the place that a series has then */
export function renamedFormula(text: string, placeOf: (series: number) => number): string {
  const letters = tokensOf(text).filter(({ kind }) => kind === 'letter');
  const renamed = text.split('');
  for (const { text: letter, at } of letters) renamed[at] = letterOf(placeOf(letter.toUpperCase().charCodeAt(0) - 65));
  return renamed.join('');
}

export function letterOf(series: number): string {
  return String.fromCharCode(65 + series);
}

/** The problem as a sentence, for answers of the API. */
export function formulaMessage({ problem, part, position }: FormulaProblem): string {
  const at = `at position ${position}`;
  switch (problem) {
    case 'empty':
      return 'The formula is empty.';
    case 'tooLong':
      return `Use at most ${MAX_FORMULA} characters.`;
    case 'tooDeep':
      return `Too many parentheses within each other ${at}.`;
    case 'unexpected':
      return `Unexpected “${part}” ${at}. Use series letters, numbers, + - * / and parentheses.`;
    case 'incomplete':
      return `The formula is incomplete ${at}.`;
    case 'unclosed':
      return `The parenthesis ${at} is not closed.`;
    case 'noSeries':
      return `There is no series ${part.toUpperCase()} (position ${position}).`;
  }
}
