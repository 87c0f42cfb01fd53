/** What steps remember of the property groups of each project, within one bound in bytes for all projects. */
import { createRecent } from '#src/kit/recent.ts';
import { createGroupCache, type GroupCache } from './steps/group-cache.ts';

/** Projects whose groups are remembered. */
const MAX_CACHES = 50;
/** Of all projects together. */
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
