/** Applies a viewer's filter in memory to the rows of the shared read. Pure. */
import { isLike } from '#src/kit/patterns/values.ts';
import { plainReader } from '#src/kit/reading/reader.ts';
import type { LiveFilter, LiveRow } from './contract.ts';

/** A test of rows. Without conditions all are wanted. @param reader the one that the rows were read by */
export function liveTest(filter: LiveFilter = {}, reader = plainReader): (row: LiveRow) => boolean {
  const { names, exceptNames, page, countries, who, bots } = filter;
  const tests: ((row: LiveRow) => boolean)[] = [];
  if (names !== undefined && names.length > 0) tests.push(({ event }) => names.includes(event));
  if (exceptNames !== undefined) tests.push(({ event }) => !exceptNames.includes(event));
  if (page !== undefined) {
    const wanted = reader.value('$pathname', page);
    tests.push(({ path }) => path !== null && isLike(path, wanted));
  }
  if (countries !== undefined && countries.length > 0) {
    tests.push(({ country }) => country !== null && countries.includes(country));
  }
  if (who !== undefined) tests.push(({ person }) => person.identified === (who === 'identified'));
  if (bots !== undefined) tests.push(({ bot }) => bot === (bots === 'only'));
  return (row) => tests.every((test) => test(row));
}
