/** SQL with its values written out, to be read, copied and run by hand. The program itself never runs it. Pure. */
import type { Sql } from './sql.ts';

/** The statement as text, a line for each that its pieces have, indented by what they are part of. */
export function sqlText({ parts, values }: Sql): string {
  const text = parts.reduce((before, part, at) => `${before}${literal(values[at - 1])}${part}`);
  return `${indented(text.split('\n').map((line) => line.trim()))};`;
}

const CLAUSE = /^(--|(select|from|where|group by|having|window|order by|limit|with|union all)\b)/;

/** Clauses stand where their statement does, what belongs to them further in. No text goes over the end of a line. */
function indented(lines: readonly string[]): string {
  const open: number[] = [];
  const written: string[] = [];
  for (const line of lines) {
    if (line === '') continue;
    const closes = /^\)*/.exec(line)?.[0].length ?? 0;
    const base = closes > 0 ? (open.at(-closes) ?? 2) - 2 : (open.at(-1) ?? 0);
    const indent = closes > 0 || CLAUSE.test(line) ? base : base + (line.startsWith('on ') ? 4 : 2);
    for (const [sign] of line.matchAll(/E'(?:[^'\\]|\\.|'')*'|'[^']*'|"[^"]*"|[()]/g)) {
      if (sign === '(') open.push(indent + 2);
      else if (sign === ')') open.pop();
    }
    written.push(`${' '.repeat(indent)}${line}`);
  }
  return written.join('\n');
}

/** An SQL literal on one line, safe for any content: quotes are doubled, and backslashes are literal. */
export function literal(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `array[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'string') throw new TypeError(`no literal for ${typeof value}`);
  const quoted = `'${value.replaceAll("'", "''")}'`;
  // With backslashes the quoting must not hang on a setting of the server's.
  if (!/[\\\r\n]/.test(value)) return quoted;
  return `E${quoted.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}`;
}
