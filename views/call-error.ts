/** Failures with a code of ours. */
import type { ErrorCode } from '#src/kit/errors.ts';

/** Why a call failed: a code of the server, or no answer at all, or one that made no sense. */
export type FailureCode = ErrorCode | 'network' | 'unreadable';

export interface FailureData {
  appCode: FailureCode;
  field?: string | undefined;
  retryAfterSec?: number | undefined;
  requestId?: string | undefined;
}

export class CallError extends Error {
  readonly data: FailureData;

  constructor(message: string, data: FailureData, cause?: unknown) {
    super(message, { cause });
    this.name = 'CallError';
    this.data = data;
  }
}
