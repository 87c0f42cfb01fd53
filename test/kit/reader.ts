/** Whoever is signed in, for tests that are not about signing in. */
import type { Reader, TeamId, UserId } from '#src/accounts/contract.ts';
import type { Role } from '#src/projects/contract.ts';
import type { Sessions } from '#src/web/session.ts';

/** The team of the kit's projects. */
export const TEST_TEAM = 1 as TeamId;

export function testReader(role: Role = 'owner', changes: Partial<Reader> = {}): Reader {
  return {
    id: 1 as UserId,
    uuid: '0193abcd-0000-7000-8000-000000000001',
    name: 'Marina Duarte',
    email: 'marina@serrana.example',
    emailVerified: true,
    language: 'en',
    timeZone: 'America/Sao_Paulo',
    tableFormat: 'comma',
    operator: role === 'owner',
    teams: [{ id: TEST_TEAM, name: 'Serrana', role, deletesAt: null }],
    ...changes,
  };
}

/** Recent by any clock. */
const PROVED = Number.MAX_SAFE_INTEGER;

/** Sessions in which somebody is signed in already; null: nobody is. */
export function testSessions(reader: Reader | null = testReader()): Sessions {
  return {
    handler: (_req, _res, next) => next(),
    readerOf: () => reader,
    sidOf: () => (reader === null ? '' : 'test-session'),
    provedAtOf: () => (reader === null ? 0 : PROVED),
    leavePending: () => Promise.reject(new Error('This test has no sessions')),
    pendingOf: () => null,
    signIn: () => Promise.reject(new Error('This test has no sessions')),
    signOut: () => Promise.reject(new Error('This test has no sessions')),
  };
}

/** What a procedure's context holds of whoever asks. */
export function testAsker(reader: Reader | null = testReader()) {
  return {
    reader,
    sid: reader === null ? '' : 'test-session',
    provedAt: reader === null ? 0 : PROVED,
    client: { address: '203.0.113.7', userAgent: 'test' },
  };
}
