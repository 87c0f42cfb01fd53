/** The reliability table, and M1 and M2 for the mirror. */
import type { Row } from './kit/row.ts';
import { r32 } from './rows/away.ts';
import { r23, r24, r27 } from './rows/bombs.ts';
import { r28, r29, r30 } from './rows/connections.ts';
import { r21 } from './rows/embedded.ts';
import { r26 } from './rows/hostile.ts';
import { r11, r12, r14 } from './rows/input.ts';
import { r4, r9, r10, r19 } from './rows/kills.ts';
import { r16, r22 } from './rows/load.ts';
import { r25 } from './rows/memory.ts';
import { r1, r2, r3, r5, r17 } from './rows/outages.ts';
import { r31 } from './rows/recordings.ts';
import { m1, m2, r13 } from './rows/relay.ts';
import { r6, r7, r8 } from './rows/spool.ts';
import { r15 } from './rows/streams.ts';
import { r18, r20 } from './rows/time.ts';

export const rows: readonly Row[] = [
  r1,
  r2,
  r3,
  r4,
  r5,
  r6,
  r7,
  r8,
  r9,
  r10,
  r11,
  r12,
  r13,
  r14,
  r15,
  r16,
  r17,
  r18,
  r19,
  r20,
  r21,
  r22,
  r23,
  r24,
  r25,
  r26,
  r27,
  r28,
  r29,
  r30,
  r31,
  r32,
  m1,
  m2,
];

/** Those that `npm test` runs as well, at their short pace. What R21 asks is asked there by `test/store/embedded/embedded.int.test.ts`. */
export const shortRows: readonly Row[] = [r4, r6, r8, r9, r11, r12, r19];
