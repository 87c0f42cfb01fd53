/** Limits of uploads by PostHog's command line. */

/** Chunks of one request. */
export const MAX_SETS_AT_ONCE = 1_000;
/** Chunks of a project; more are refused until older maps are deleted. */
export const MAX_SYMBOL_SETS = 20_000;
/** Releases that builds of a project announce. */
export const MAX_BUILD_RELEASES = 10_000;
/** Text of the metadata of a release. */
export const MAX_RELEASE_METADATA = 4_000;
