import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The build's folder, which contains this module's file or its chunk. */
export function distFolder(address: string): string {
  const here = dirname(fileURLToPath(address));
  return basename(here) === 'chunks' ? dirname(here) : here;
}
