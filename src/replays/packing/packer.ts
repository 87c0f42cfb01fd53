/** Has recordings packed by a thread of the lowest priority, which ends when there is nothing to pack. */
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { openLine } from '#src/kit/calls.ts';
import type { LooseBlock, Packed, Packer } from './pack.ts';

const MAX_HEAP_MB = 768;

/** A thread for one run of the job. @throws AppError `unavailable` once it has ended */
export interface PackThread {
  pack(blocks: readonly LooseBlock[]): Promise<Packed>;
  end(): Promise<void>;
}

export function startPackThread(): PackThread {
  const worker = new Worker(threadFile(), { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
  const line = openLine<Packer>(worker, {});
  worker.on('error', () => line.cut()).on('exit', () => line.cut());
  worker.unref();
  return {
    pack: (blocks) => line.ask('pack', blocks),
    async end() {
      line.cut();
      await worker.terminate();
    },
  };
}

function threadFile(): string {
  const here = fileURLToPath(import.meta.url);
  const folder = dirname(here);
  if (here.endsWith('.ts')) return `${folder}/pack-thread.ts`;
  return `${basename(folder) === 'chunks' ? dirname(folder) : folder}/pack-thread.js`;
}
