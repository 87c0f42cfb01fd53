/** Reading a spool file: its bytes, and the records in them, also behind damaged ones. */
import type * as nodeFs from 'node:fs';
import type { Log } from '#src/kit/log.ts';
import { unlessMissing } from './spool-folder.ts';
import { decodePayload, type SpoolRecord, scanRecord } from './spool-record.ts';
import type { SpoolFile } from './spool-writer.ts';

/** The part of a file that is not in the database; null when the file was deleted. */
export async function readRest(fs: typeof nodeFs, file: SpoolFile): Promise<Buffer | null> {
  const handle = await unlessMissing(fs.promises.open(file.path, 'r'));
  if (handle === null) return null;
  try {
    const bytes = Buffer.allocUnsafe(file.bytes - file.replayedBytes);
    let done = 0;
    while (done < bytes.length) {
      const { bytesRead } = await handle.read(bytes, done, bytes.length - done, file.replayedBytes + done);
      if (bytesRead === 0) break;
      done += bytesRead;
    }
    return bytes.subarray(0, done);
  } finally {
    await handle.close();
  }
}

/** A record and the offset of its end; null: its version is newer than this process. */
export interface RecordRead {
  record: SpoolRecord | null;
  end: number;
}

/** The records in what was read of a file. Notes in the file what is damaged or newer. */
export function* recordsOf(file: SpoolFile, bytes: Buffer, log: Log): Generator<RecordRead> {
  const base = file.replayedBytes;
  let offset = 0;
  while (offset < bytes.length) {
    const scanned = scanRecord(bytes, offset);
    if (scanned === null) return;
    if (scanned.payload === null) {
      const found = findRecord(bytes, offset + 1);
      if (found === null && file.isLast) {
        const cut = bytes.length - offset;
        log.warn({ file: file.path, bytes: cut }, 'truncated an incomplete record at the end of a spool file');
      } else {
        file.damage ??= `the record at byte ${base + offset} is corrupt`;
      }
      if (found === null) return;
      offset = found;
      continue;
    }
    const record = decodePayload(scanned.payload);
    if (record === null) file.isNewer = true;
    offset = scanned.next;
    yield { record, end: offset };
  }
}

/** Offset of the next complete record at or after `from`: each payload starts with the same characters. */
function findRecord(bytes: Buffer, from: number): number | null {
  for (let at = bytes.indexOf('{"n":', from + 8); at !== -1; at = bytes.indexOf('{"n":', at + 1)) {
    if (scanRecord(bytes, at - 8)?.payload) return at - 8;
  }
  return null;
}
