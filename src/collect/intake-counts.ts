/** Events since the start of the process, as /metrics shows them. */
import type { DropReason } from './contract.ts';

export interface IntakeCounts {
  /** Raw events that came for a project, or were kept for one. */
  received: number;
  readonly dropped: Record<string, number>;
}

export function newIntakeCounts(): IntakeCounts {
  return { received: 0, dropped: {} };
}

export function countDropped({ dropped }: IntakeCounts, reason: DropReason | 'unknown_token', events = 1): void {
  dropped[reason] = (dropped[reason] ?? 0) + events;
}
