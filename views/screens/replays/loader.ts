/** Loads a recording beyond what is shown: what follows, then what was before, since lists and marks are about all of it. */
import type { Recording } from './recording.ts';

export interface Loader {
  /** Goes on unless it does already. */
  start(): void;
  /** Asks for nothing more until the next start: what is shown comes first. */
  hold(): void;
  stop(): void;
}

export function createLoader(recording: Recording, state: () => { at: number; from: number }): Loader {
  let isLoading = false;
  let isStopped = false;
  /** Counts starts and holds: an older run ends. */
  let run = 0;

  async function loadFrom(begin: () => number, own: number): Promise<void> {
    for (let before = -1; before !== recording.loadedTo(begin()) && own === run; ) {
      before = recording.loadedTo(begin());
      if (before !== Number.POSITIVE_INFINITY) await recording.loadAhead(begin());
    }
  }

  return {
    start() {
      if (isLoading || isStopped) return;
      isLoading = true;
      run += 1;
      const own = run;
      loadFrom(() => state().at, own)
        .then(() => loadFrom(() => state().from, own))
        // Said when what is missing is needed.
        .catch(() => undefined)
        .finally(() => {
          if (own === run) isLoading = false;
        });
    },
    hold() {
      run += 1;
      isLoading = false;
    },
    stop() {
      isStopped = true;
      run += 1;
    },
  };
}
