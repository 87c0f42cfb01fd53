/** What PostgreSQL's own words mean for the person who started Luneta: one sentence that says what to do. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type AppError, unavailable } from '../../kit/errors.ts';

const otherwise = 'or set DATABASE_URL to a PostgreSQL server you have';

const causes: { sign: RegExp; sentence(found: RegExpExecArray, home: string): string }[] = [
  {
    sign: /No space left on device/,
    sentence: (_, home) => `The disk of ${home} is full: free some space and start again.`,
  },
  {
    sign: /could not look up effective user ID (\d+)/,
    sentence: ([, uid]) => `PostgreSQL needs a user with a name, and user id ${uid} has none: add one, ${otherwise}.`,
  },
  {
    sign: /error while loading shared libraries: ([^:\s]+)/,
    sentence: ([, library = ''], home) =>
      existsSync(join(home, 'lib', library))
        ? `PostgreSQL may not read its libraries in ${home}/lib: open the folders on the way to them, ${otherwise}.`
        : `PostgreSQL cannot start here, ${library} is missing: install it, ${otherwise}.`,
  },
  {
    sign: /database files are incompatible with server|was initialized by PostgreSQL version/,
    sentence: (_, home) => `The data in ${home} is of another PostgreSQL version: move the folder away, ${otherwise}.`,
  },
  {
    sign: /could not (?:create|resize) shared memory|could not map anonymous shared memory/,
    sentence: () => `PostgreSQL got no memory from this machine: free some, ${otherwise}.`,
  },
  {
    sign: /Permission denied|EACCES/,
    sentence: (_, home) => `PostgreSQL may not use ${home}: make it owned by the user who starts Luneta, ${otherwise}.`,
  },
  {
    sign: /(?:FATAL|PANIC|initdb: error):\s+(.+)/,
    sentence: ([, reason], home) => `PostgreSQL does not start (${reason}): see ${home}/postgres.log, ${otherwise}.`,
  },
];

/** Turns the output of a program that failed into an error whose message can be shown. */
export function explainFailure(output: string, home: string, cause?: unknown): AppError {
  for (const { sign, sentence } of causes) {
    const found = sign.exec(output);
    if (found) return unavailable(sentence(found, home), 5, cause);
  }
  return unavailable(`PostgreSQL does not start: see ${home}/postgres.log, ${otherwise}.`, 5, cause);
}
