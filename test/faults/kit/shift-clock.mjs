/**
 * Loaded into the server before everything else (`node --import`): its wall clock can be moved from outside. The offset in ms is
 * read from the file FAULTS_CLOCK at the start and on each SIGUSR2. Timers and performance.now() stay as they are, as with a
 * real jump of the clock.
 */
import { readFileSync } from 'node:fs';

const SystemDate = Date;
let offsetMs = 0;

function readOffset() {
  offsetMs = Number(readFileSync(process.env.FAULTS_CLOCK, 'utf8'));
}

globalThis.Date = class extends SystemDate {
  constructor(...args) {
    if (args.length === 0) super(SystemDate.now() + offsetMs);
    else super(...args);
  }
  static now() {
    return SystemDate.now() + offsetMs;
  }
};

readOffset();
process.on('SIGUSR2', readOffset);
