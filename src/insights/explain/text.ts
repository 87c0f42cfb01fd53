/** SQL with its values written out, to be read, copied and run by hand. The program itself never runs it. Pure. */
import type { Sql } from '#src/store/sql.ts';

/** The statement as text, its first line without indentation and no empty lines. */
export function sqlText({ parts, values }: Sql): string {
  const text = parts.reduce((before, part, at) => `${before}${literal(values[at - 1])}${part}`);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const indent = Math.min(...lines.map((line) => line.length - line.trimStart().length));
  return `${lines.map((line) => line.slice(indent)).join('\n')};`;
}

/** A value as PostgreSQL reads it, whatever is in it: quotes are doubled, and backslashes mean nothing else. */
export function literal(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `array[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'string') throw new TypeError(`no literal for ${typeof value}`);
  const quoted = `'${value.replaceAll("'", "''")}'`;
  // With backslashes the quoting must not hang on a setting of the server's.
  return value.includes('\\') ? `E${quoted.replaceAll('\\', '\\\\')}` : quoted;
}
