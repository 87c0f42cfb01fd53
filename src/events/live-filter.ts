/** Which rows of the stream a viewer wants: decided in memory for each row that everybody's one read found. Pure. */
import type { LiveFilter, LiveRow } from './contract.ts';

/** A test of rows. Without conditions all are wanted. */
export function liveTest(filter: LiveFilter = {}): (row: LiveRow) => boolean {
  const { names, exceptNames, page, countries, who, bots } = filter;
  const tests: ((row: LiveRow) => boolean)[] = [];
  if (names !== undefined && names.length > 0) tests.push(({ event }) => names.includes(event));
  if (exceptNames !== undefined) tests.push(({ event }) => !exceptNames.includes(event));
  if (page !== undefined) tests.push(({ path }) => path !== null && isLike(path, page));
  if (countries !== undefined && countries.length > 0) {
    tests.push(({ country }) => country !== null && countries.includes(country));
  }
  if (who !== undefined) tests.push(({ person }) => person.identified === (who === 'identified'));
  if (bots !== undefined) tests.push(({ bot }) => bot === (bots === 'only'));
  return (row) => tests.every((test) => test(row));
}

/** Whether a text is what the pattern says, in which `*` stands for any characters. Takes time in proportion to both. */
export function isLike(text: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1 || found + part.length > text.length - last.length) return false;
    at = found + part.length;
  }
  return true;
}
