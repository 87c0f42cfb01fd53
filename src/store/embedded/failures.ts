/** Translates PostgreSQL's output into one message that says what to do. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type AppError, unavailable } from '../../kit/errors.ts';

const otherwise = 'or set DATABASE_URL to your own PostgreSQL server';

const causes: { sign: RegExp; sentence(found: RegExpExecArray, home: string): string }[] = [
  {
    sign: /No space left on device/,
    sentence: (_, home) => `Disk full at ${home}. Free up space and start again.`,
  },
  {
    sign: /could not look up effective user ID (\d+)/,
    sentence: ([, uid]) => `User ID ${uid} has no user name, which PostgreSQL requires. Add one, ${otherwise}.`,
  },
  {
    sign: /error while loading shared libraries: ([^:\s]+)/,
    sentence: ([, library = ''], home) =>
      existsSync(join(home, 'lib', library))
        ? `PostgreSQL may not read its libraries in ${home}/lib: open the folders on the way to them, ${otherwise}.`
        : `PostgreSQL can’t start: ${library} is missing. Install it, ${otherwise}.`,
  },
  {
    sign: /database files are incompatible with server|was initialized by PostgreSQL version/,
    sentence: (_, home) => `The data in ${home} is from a different PostgreSQL version. Move the folder, ${otherwise}.`,
  },
  {
    sign: /could not (?:create|resize) shared memory|could not map anonymous shared memory/,
    sentence: () => `Not enough memory for PostgreSQL. Free up memory, ${otherwise}.`,
  },
  {
    sign: /Permission denied|EACCES/,
    sentence: (_, home) =>
      `PostgreSQL has no access to ${home}. Make the user who runs Luneta its owner, ${otherwise}.`,
  },
  {
    sign: /(?:FATAL|PANIC|initdb: error):\s+(.+)/,
    sentence: ([, reason], home) => `PostgreSQL failed to start (${reason}). See ${home}/postgres.log, ${otherwise}.`,
  },
];

/** Converts the output of a failed program into an error with a message for users. */
export function explainFailure(output: string, home: string, cause?: unknown): AppError {
  for (const { sign, sentence } of causes) {
    const found = sign.exec(output);
    if (found) return unavailable(sentence(found, home), 5, cause);
  }
  return unavailable(`PostgreSQL failed to start. See ${home}/postgres.log, ${otherwise}.`, 5, cause);
}
