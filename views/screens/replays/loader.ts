/** Loads a recording beyond what is shown: what follows, then what was before, since lists and marks are about all of it. */
import type { Recording } from './recording.ts';

export interface Loader {
  /** Goes on unless it does already. */
  start(): void;
  stop(): void;
}

export function createLoader(recording: Recording, state: () => { at: number; from: number }): Loader {
  let isLoading = false;
  let isStopped = false;

  async function loadFrom(begin: () => number): Promise<void> {
    for (let before = -1; before !== recording.loadedTo(begin()) && !isStopped; ) {
      before = recording.loadedTo(begin());
      if (before !== Number.POSITIVE_INFINITY) await recording.loadAhead(begin());
    }
  }

  return {
    start() {
      if (isLoading || isStopped) return;
      isLoading = true;
      loadFrom(() => state().at)
        .then(() => loadFrom(() => state().from))
        // Said when what is missing is needed.
        .catch(() => undefined)
        .finally(() => {
          isLoading = false;
        });
    },
    stop() {
      isStopped = true;
    },
  };
}
