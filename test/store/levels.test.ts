/** An outage is logged once, not by each connection; all other errors are logged. */
import { DatabaseError } from 'pg';
import { levelOf, levelOfWords } from '#src/store/db.ts';

const state = (code: string) => Object.assign(new DatabaseError('x', 1, 'error'), { code });

it.each([
  [state('57P01'), 'debug'],
  [state('08006'), 'debug'],
  [Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), 'debug'],
  [new Error('Connection terminated unexpectedly'), 'debug'],
  [state('57014'), 'warn'],
  [state('53300'), 'warn'],
  [state('42P01'), 'warn'],
  [new Error('a bug'), 'warn'],
  [undefined, 'warn'],
])('%s: %s', (error, level) => {
  expect(levelOf(error)).toBe(level);
});

it.each([
  ["Failed task 36 (mail-deliver) with error 'terminating connection due to unexpected postmaster exit'", 'debug'],
  ['Connection Error: Connection ended unexpectedly', 'debug'],
  ['Acquire connection error: Error: connect ECONNREFUSED 127.0.0.1:5432', 'debug'],
  ["Failed task 36 (mail-deliver) with error 'no room'", 'warn'],
])('%s: %s', (message, level) => {
  expect(levelOfWords(message)).toBe(level);
});
