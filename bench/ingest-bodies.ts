/** Bodies as clients send them, made and compressed before anything is measured, kept in a file and read back by the sender. */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { JsonObject } from '#src/kit/json.ts';
import { browserEvent } from './browser-events.ts';

export interface BodyOptions {
  token: string;
  /** Number of the first event; numbers that were used before are other copies of the same events. */
  from: number;
  bodies: number;
  perBody: number;
  nowMs: number;
  /** Events of a visitor, who comes once; absent: some come again and again. */
  perVisitor?: number | undefined;
}

/** Writes `bodies` bodies to `file`, each behind its length. @returns bytes of JSON per event, before compression */
export function writeBodies(file: string, { token, from, bodies, perBody, nowMs, perVisitor }: BodyOptions): number {
  const out = openSync(file, 'w');
  let jsonBytes = 0;
  for (let n = 0; n < bodies; n++) {
    const batch = Array.from({ length: perBody }, (_, index) =>
      withIdentity(browserEvent(from + n * perBody + index, nowMs, undefined, perVisitor)),
    );
    const json = JSON.stringify({ api_key: token, batch, sent_at: new Date(nowMs).toISOString() });
    jsonBytes += json.length;
    const body = gzipSync(json, { level: 6 });
    const head = Buffer.alloc(4);
    head.writeUInt32LE(body.length);
    writeSync(out, Buffer.concat([head, body]));
  }
  closeSync(out);
  return jsonBytes / (bodies * perBody);
}

export function readBodies(file: string): Buffer[] {
  const bytes = readFileSync(file);
  const bodies: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt32LE(at);
    bodies.push(bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return bodies;
}

/** One visitor in five is known by name: their events change a person. */
function withIdentity(event: JsonObject): JsonObject {
  const properties = event['properties'] as JsonObject;
  const anonymous = properties['distinct_id'] as string;
  if (Number.parseInt(anonymous.slice(-6), 16) % 5 !== 0) return event;
  const distinctId = `user-${anonymous.slice(-12)}@loja.example`;
  Object.assign(properties, { distinct_id: distinctId, $is_identified: true, $process_person_profile: true });
  return { ...event, $set: { plan: 'pro' } };
}
