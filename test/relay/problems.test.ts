import { describeStatus, describeUnreachable, kindOf, QUEUE_FULL, withCode } from '#src/relay/problems.ts';

const failed = (code: string) => Object.assign(new Error('connect 10.0.0.4:8000'), { code });
const none = { kind: null, status: null };

it.each([
  ['ECONNREFUSED', 'refused'],
  ['ENOTFOUND', 'name'],
  ['EAI_AGAIN', 'name'],
  ['ETIMEDOUT', 'late'],
  ['UND_ERR_CONNECT_TIMEOUT', 'late'],
  ['ECONNRESET', 'brokenOff'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
  ['CERT_HAS_EXPIRED', 'tls'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
  ['EPROTO', 'tls'],
  ['EHOSTUNREACH', 'unreachable'],
])('keeps the code of what failed, never the address, and knows its kind: %s', (code, kind) => {
  const message = describeUnreachable(failed(code));
  expect(message).toBe(`Upstream unreachable (${code}).`);
  expect(kindOf(message)).toEqual({ kind, status: null });
  expect(describeUnreachable(new TypeError('fetch failed', { cause: failed(code) }))).toBe(message);
});

it.each([
  [401, 'key'],
  [403, 'key'],
  [404, 'declined'],
  [400, 'declined'],
  [413, 'declined'],
  [429, 'busy'],
  [500, 'failing'],
  [503, 'failing'],
  [302, 'failing'],
])('knows the kind of an answer: %i', (status, kind) => {
  expect(kindOf(describeStatus(status))).toEqual({ kind, status });
  expect(kindOf(`The upstream answers, but with status ${status}.`)).toEqual({ kind, status });
});

it.each([
  ['Upstream unreachable.', 'unreachable'],
  ['The upstream could not be reached in time.', 'late'],
  ['Upstream timed out.', 'late'],
  ['The upstream did not respond in time.', 'late'],
  ['The upstream responded too slowly.', 'late'],
  ['The upstream stopped reading the request.', 'late'],
  ['No response within 5 s.', 'late'],
  ['The upstream closed the connection before the response was complete.', 'brokenOff'],
  ['The upstream stopped sending its response.', 'brokenOff'],
  // Stored by older versions.
  ['The upstream could not be reached (ENOTFOUND).', 'name'],
  ['The upstream answered too slowly.', 'late'],
  ['The upstream stopped reading.', 'late'],
  ['No answer within 5 s.', 'late'],
  ['The upstream broke off in the middle of its answer.', 'brokenOff'],
  ['The upstream stopped in the middle of its answer.', 'brokenOff'],
  [QUEUE_FULL, 'queueFull'],
])('knows the kind of what is said: %s', (message, kind) => {
  expect(kindOf(message)).toEqual({ kind, status: null });
});

it('says nothing of what it does not know', () => {
  for (const message of ['', 'It hangs.', 'Stopped while waiting for the upstream.'])
    expect(kindOf(message)).toEqual(none);
  expect(describeUnreachable(new Error('secret'))).toBe('Upstream unreachable.');
  expect(describeUnreachable(failed('not a code: 10.0.0.4'))).toBe('Upstream unreachable.');
});

it('adds the code only to what was not reached', () => {
  const broken = new Error('The upstream closed the connection before the response was complete.', {
    cause: failed('ECONNRESET'),
  });
  expect(withCode(broken)).toBe(broken.message);
  const away = new Error('Upstream unreachable.', { cause: failed('ECONNREFUSED') });
  expect(withCode(away)).toBe('Upstream unreachable (ECONNREFUSED).');
});
