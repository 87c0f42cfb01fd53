/** Timeouts of both sides of a relayed request, and the size of its retry buffer. */
import { AppError } from '#src/kit/errors.ts';

/** Milliseconds. */
export const relayLimits = {
  /** To a connection, waiting for a free one included. */
  connectMs: 3000,
  /** From the end of the request to the answer's head. */
  firstByteMs: 10_000,
  /** Between two pieces of a body, in either direction. */
  idleMs: 30_000,
  /** From the answer's head to its end: what drips is cut off. */
  answerMs: 60_000,
  bodyBytes: 64 * 1024 * 1024,
  /** How much of a body is remembered for the second try. */
  rememberBytes: 256 * 1024,
};
export type RelayLimits = typeof relayLimits;

/** The client sends or reads too slowly: no fault of the upstream's. Answered 408, while there is something to answer. */
export class ClientTooSlow extends AppError {
  constructor(message: string) {
    super('timeout', message);
  }
}
