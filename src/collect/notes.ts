/** Drops and warnings, counted per project and reason, with one sample each. */
import type { JsonObject } from '#src/kit/json.ts';
import type { DropReason, WarningReason } from './contract.ts';

export interface Note {
  projectId: number;
  /** A drop's, or a warning's (of collect or of persons). */
  reason: string;
  /** A dropped event is not stored: it counts in the minute's outcomes too. */
  isDrop: boolean;
  times: number;
  at: number;
  sample: JsonObject;
}

/** Notes that count once: the transaction that writes them enters the id with them, and leaves out what was entered before. */
export interface NoteSet {
  id: string;
  notes: readonly Note[];
}

/** Identifies the sample: never an address, a user agent or a whole event. */
export interface SampleSource {
  event?: unknown;
  distinctId?: unknown;
  uuid?: unknown;
  detail?: string | undefined;
}

export interface Notes {
  drop(projectId: number, reason: DropReason, at: number, source: SampleSource): void;
  warn(projectId: number, reason: WarningReason | string, at: number, source: SampleSource): void;
  add(notes: readonly Note[]): void;
  readonly list: Note[];
}

export function createNotes(): Notes {
  const list: Note[] = [];
  function note(isDrop: boolean, projectId: number, reason: string, at: number, source: SampleSource): void {
    const same = list.find((one) => one.reason === reason && one.projectId === projectId && one.isDrop === isDrop);
    if (same === undefined) {
      list.push({ projectId, reason, isDrop, times: 1, at, sample: sampleOf(source) });
    } else {
      same.times++;
    }
  }
  return {
    list,
    drop: (projectId, reason, at, source) => note(true, projectId, reason, at, source),
    warn: (projectId, reason, at, source) => note(false, projectId, reason, at, source),
    add: (notes) => {
      list.push(...notes);
    },
  };
}

const MAX_SAMPLE_TEXT = 200;

function sampleOf({ event, distinctId, uuid, detail }: SampleSource): JsonObject {
  const sample: JsonObject = {};
  for (const [name, value] of Object.entries({ event, distinct_id: distinctId, uuid, detail })) {
    if (value === undefined || value === null || value === '') continue;
    const text = typeof value === 'string' ? value : typeof value === 'number' ? String(value) : `(${typeof value})`;
    sample[name] = text.slice(0, MAX_SAMPLE_TEXT).toWellFormed().replaceAll('\0', '\ufffd');
  }
  return sample;
}
