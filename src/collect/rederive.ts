/** Brings stored channels up to the rules of this version (`npm run rederive`). */
import { type Rewriting, rewriteGroups } from '#src/events/rewrite.ts';
import type { Deps } from '#src/store/deps.ts';
import { rederivedChannel } from './steps/source.ts';

/** @param onBatch gets the progress, now and then */
export function rederive({ write }: Pick<Deps, 'write'>, onBatch?: (soFar: Rewriting) => void): Promise<Rewriting> {
  return rewriteGroups(write, 'source', rederivedChannel, onBatch);
}
