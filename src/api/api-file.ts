/** Answers that are no JSON. */
import { Readable } from 'node:stream';
import type { Response } from 'express';
import { sendStream, setFileHead } from '#src/kit/send-file.ts';

/** A file, whole or in pieces. */
export class ApiFile {
  readonly type: string;
  readonly name: string;
  readonly data: string | AsyncIterable<string | Uint8Array>;

  constructor(type: string, name: string, data: string | AsyncIterable<string | Uint8Array>) {
    this.type = type;
    this.name = name;
    this.data = data;
  }
}

export async function sendApiFile({ type, name, data }: ApiFile, res: Response): Promise<void> {
  setFileHead(res, type, name);
  if (typeof data === 'string') res.end(data);
  else await sendStream(Readable.from(data), res);
}
