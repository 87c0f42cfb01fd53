/** Requests with many events share one breath: all of them together hold the event loop for a few milliseconds of each of its turns. */
import { createBreath } from '#src/kit/breath.ts';

/** To be awaited before each piece of work on a large request. A piece takes about a millisecond. */
export const takeBreath = createBreath();
