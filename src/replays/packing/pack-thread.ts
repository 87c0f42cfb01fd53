/** The thread that packs recordings, when nothing else has to be done. An entry of the build. */
import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { openLine } from '#src/kit/calls.ts';
import { packBlocks } from './pack.ts';

// Here it is the thread that is meant; elsewhere it would be the whole process.
if (process.platform === 'linux' && parentPort !== null) setPriority(constants.priority.PRIORITY_LOW);

if (parentPort !== null) openLine(parentPort, { pack: packBlocks });
