/** Answers that are files. */
import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A download for one reader, which nothing on the way keeps. */
export function setFileHead(res: ServerResponse, type: string, fileName: string): void {
  res.setHeader('Content-Type', type);
  res.setHeader('Content-Disposition', `attachment; filename="${fileName}"`);
  res.setHeader('Cache-Control', 'private, no-store');
}

/** An error closes the connection, because headers were sent. A client's disconnect is no error. */
export async function sendStream(source: Readable, res: ServerResponse): Promise<void> {
  await pipeline(source, res).catch((error: unknown) => {
    const { code, name } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_STREAM_PREMATURE_CLOSE' && name !== 'AbortError') throw error;
  });
}
