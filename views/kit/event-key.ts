/** The address of an event in an address: its time and uuid. Pure. */

/** The key of an event, also in an address: `<time>_<uuid>`. */
export function keyOf({ ts, uuid }: { ts: number; uuid: string }): string {
  return `${ts}_${uuid}`;
}

/** Reads such a key; null for anything else. */
export function readKey(text: string | null): { ts: number; uuid: string } | null {
  const [, ts, uuid] =
    /^(-?\d{1,14}(?:\.\d{1,6})?)_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.exec(text ?? '') ?? [];
  return ts === undefined || uuid === undefined ? null : { ts: Number(ts), uuid };
}
