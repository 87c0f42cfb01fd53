/** Pages that many look at within seconds: drawn once, kept as they were sent. */
import { createHash } from 'node:crypto';
import type { Clock } from '#src/kit/clock.ts';
import { createRecent } from '#src/kit/recent.ts';

export interface KeptPages {
  /**
   * The body of a page. @param content all that decides what it shows, but its numbers: those are at most ten seconds old
   * @param draw `isWhole`: it may be kept
   */
  body(content: unknown, draw: () => Promise<{ body: Buffer; isWhole: boolean }>): Promise<Buffer>;
}

const KEPT_MS = 10_000;
const MAX_PAGES = 200;
const MAX_BYTES = 16 * 1024 * 1024;

export function createKeptPages(clock: Pick<Clock, 'elapsed'>): KeptPages {
  const kept = createRecent<string, { until: number; body: Buffer }>(MAX_PAGES, {
    maxBytes: MAX_BYTES,
    bytesOf: (key, { body }) => key.length + body.length,
  });
  const drawing = new Map<string, Promise<Buffer>>();

  async function drawNew(key: string, draw: Parameters<KeptPages['body']>[1]): Promise<Buffer> {
    const { body, isWhole } = await draw();
    if (isWhole) kept.set(key, { until: clock.elapsed() + KEPT_MS, body });
    return body;
  }

  return {
    async body(content, draw) {
      const key = createHash('sha256').update(JSON.stringify(content)).digest('base64');
      const known = kept.get(key);
      if (known !== undefined && known.until > clock.elapsed()) return known.body;
      const underWay = drawing.get(key);
      if (underWay !== undefined) return underWay;
      const body = drawNew(key, draw).finally(() => drawing.delete(key));
      drawing.set(key, body);
      return body;
    },
  };
}
