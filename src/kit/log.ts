/** JSON logs on stdout. The only place that may write to the console besides the launcher and the command line tools. */
import { pino } from 'pino';

export type Log = Pick<ReturnType<typeof pino>, 'debug' | 'info' | 'warn' | 'error' | 'fatal'> & {
  child(bindings: Record<string, unknown>): Log;
};

/** Creates the process's logger. Secrets are redacted by path, regardless of the caller. */
export function createLog(level: string, destination?: { write(line: string): void }): Log {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    redact: {
      paths: [
        'req.headers.cookie',
        'req.headers.authorization',
        '*.password',
        '*.secret',
        '*.apiKey',
        // PostgreSQL quotes the values that it refused here.
        'err.detail',
        'err.where',
        'err.cause.detail',
        'err.cause.where',
      ],
      censor: '[hidden]',
    },
  };
  return destination ? pino(options, destination) : pino(options);
}
