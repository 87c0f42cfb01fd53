/** Caches of property groups by project, with one limit in bytes for all projects. */
import { createRecent } from '#src/kit/recent.ts';
import { createGroupCache, type GroupCache } from './steps/group-cache.ts';

/** Maximum number of cached projects. */
const MAX_CACHES = 50;
/** Maximum size of all caches together. */
const MAX_CACHE_BYTES = 64 * 1024 * 1024;

/** The cache of a project; made at its first event. */
export function createGroupCaches(maxBytes = MAX_CACHE_BYTES): (projectId: number) => GroupCache {
  const caches = createRecent<string, GroupCache>(MAX_CACHES);
  let usage = { bytes: 0 };
  return (projectId) => {
    const key = String(projectId);
    if (usage.bytes > maxBytes) {
      // Also what caches took that are forgotten already.
      caches.clear();
      usage = { bytes: 0 };
    }
    let cache = caches.get(key);
    if (cache === undefined) {
      cache = createGroupCache(usage);
      caches.set(key, cache);
    }
    return cache;
  };
}
