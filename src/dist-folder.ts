import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the build is: the file of this address, or the chunk that it became, lies in it. */
export function distFolder(address: string): string {
  const here = dirname(fileURLToPath(address));
  return basename(here) === 'chunks' ? dirname(here) : here;
}
