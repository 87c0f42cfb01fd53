/** The thread that opens recordings, so that the answers to events do not wait for it. An entry of the build. */
import { parentPort } from 'node:worker_threads';
import { openLine } from '#src/kit/calls.ts';
import { createRecordingOpener } from './open-recording.ts';

if (parentPort !== null) openLine(parentPort, { ...createRecordingOpener() });
