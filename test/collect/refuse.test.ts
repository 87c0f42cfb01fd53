import type { ServerResponse } from 'node:http';
import type { BodyReader } from '#src/collect/body.ts';
import { newEndpointCounts } from '#src/collect/endpoint-counts.ts';
import type { EventsRequest } from '#src/collect/http.ts';
import { createRefuse } from '#src/collect/refuse.ts';
import { createRequestBodies } from '#src/collect/request-body.ts';
import { fixedClock } from '#src/kit/clock.ts';
import { AppError } from '#src/kit/errors.ts';
import { createLog } from '#src/kit/log.ts';

const request = (over: Partial<EventsRequest> = {}) =>
  ({ method: 'POST', path: '/e', query: {}, headers: {}, complete: true, ...over }) as EventsRequest;

function response() {
  const sent = { status: 0, headers: {} as Record<string, string>, body: '', isDestroyed: false };
  const res = {
    headersSent: false,
    writeHead(status: number, headers: Record<string, string>) {
      Object.assign(sent, { status, headers });
      res.headersSent = true;
      return res;
    },
    write(text: string) {
      sent.body += text;
    },
    end(text = '') {
      sent.body += text;
    },
    destroy() {
      sent.isDestroyed = true;
    },
  };
  return { res: res as unknown as ServerResponse, sent };
}

describe('refusing a request', () => {
  const refuseOf = () => {
    const counts = newEndpointCounts();
    const noted: string[] = [];
    const refuse = createRefuse({
      bodies: { forgetRest: async () => {} },
      counts,
      clock: fixedClock(0),
      log: createLog('silent'),
      refused: (reason) => void noted.push(reason),
    });
    return { refuse, counts, noted };
  };

  it.each([
    [new AppError('invalid', 'No JSON.'), 400, 'invalid', undefined],
    [new AppError('unauthenticated', 'Unknown token.'), 401, 'token', undefined],
    [new AppError('rate_limited', 'Overload.', { retryAfterSec: 9 }), 503, 'overload', '9'],
    [new Error('a mistake of ours'), 503, 'unavailable', '5'],
  ])('%s', (error, status, reason, retryAfter) => {
    const { refuse, counts, noted } = refuseOf();
    const { res, sent } = response();
    refuse(request(), res, error);
    expect(sent.status).toBe(status);
    expect(sent.headers['Retry-After']).toBe(retryAfter);
    expect(sent.body).not.toContain('mistake');
    expect(counts.refused).toMatchObject({ [reason]: 1 });
    expect(noted).toEqual([reason]);
    refuse(request(), res, error);
    expect(noted).toHaveLength(1);
  });

  it('ends a connection whose body did not come, but not for a short body in overload', () => {
    const { refuse } = refuseOf();
    const headersOf = (error: AppError, length: string) => {
      const { res, sent } = response();
      refuse(request({ complete: false, headers: { 'content-length': length } }), res, error);
      return sent.headers['Connection'];
    };
    expect(headersOf(new AppError('invalid', 'No JSON.'), '10')).toBe('close');
    expect(headersOf(new AppError('rate_limited', 'Overload.'), '10')).toBeUndefined();
    expect(headersOf(new AppError('rate_limited', 'Overload.'), '100000')).toBe('close');
  });
});

describe('the body of a request', () => {
  const bodiesOf = (body: string | null) => {
    const steps: string[] = [];
    const ticket = {
      hold: (bytes: number) => void steps.push(`hold ${bytes}`),
      turn: () => undefined,
      largeTurn: async () => {},
      release: () => void steps.push('release'),
    };
    const reader: Pick<BodyReader, 'admit' | 'read' | 'drain'> = {
      admit: () => ticket,
      read: async () => (body === null ? null : Buffer.from(body)),
      drain: async () => body !== null,
    };
    return { bodies: createRequestBodies(reader), steps };
  };

  it('holds its share of the memory while it is worked on, and always releases it', async () => {
    const { bodies, steps } = bodiesOf('{"event":"a"}');
    const { res } = response();
    await bodies.withDecoded(request(), res, {}, async ({ value }) => void steps.push(JSON.stringify(value)));
    expect(steps).toEqual(['hold 13', '{"event":"a"}', 'release']);
    const failing = bodies.withDecoded(request(), res, {}, async () => {
      throw new Error('refused');
    });
    await expect(failing).rejects.toThrow('refused');
    await expect(bodiesOf('not JSON').bodies.withDecoded(request(), res, {}, async () => {})).rejects.toThrow();
    expect(steps.slice(3)).toEqual(['hold 13', 'release']);
  });

  it('answers nothing where the client went away', async () => {
    const { bodies, steps } = bodiesOf(null);
    const { res, sent } = response();
    await bodies.withDecoded(request(), res, {}, async () => void steps.push('used'));
    await bodies.drained(request(), res, () => void steps.push('answered'));
    expect(sent.isDestroyed).toBe(true);
    expect(steps).toEqual(['release', 'release']);
  });
});
