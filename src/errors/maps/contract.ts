/** Uploads of PostHog's command line, in our words. */
import type { JsonValue } from '#src/kit/json.ts';

export interface NewBuildRelease {
  hashId: string;
  version: string;
  /** Of the client's project. */
  name: string;
  metadata: JsonValue;
}

export interface BuildRelease extends NewBuildRelease {
  id: string;
}

export interface SymbolSetAsked {
  chunkId: string;
  releaseId: string | null;
  contentHash: string | null;
}

export interface SymbolSetOptions {
  /** Uploads what is there already, too. */
  force: boolean;
  /** Leaves out what is there with another content, instead of refusing. */
  skipOnConflict: boolean;
}
