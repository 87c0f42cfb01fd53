/** Checks that a token belongs to a project before more of its request is read. */
import type { Projects } from '#src/projects/projects.ts';
import type { CheckToken } from './body-beginning.ts';
import { isUnavailable, withDeadline } from './deadline.ts';
import { tokenOf, unknownToken } from './envelope.ts';

export interface KnownTokens {
  /** While the database is away, any token may be that of a project. @throws AppError `unauthenticated` */
  expect(token: string): Promise<void>;
  /** @param outside the token given in the address or a header */
  check(outside: string | undefined): CheckToken;
}

export function createKnownTokens(projects: Pick<Projects, 'byToken' | 'known'>): KnownTokens {
  async function expect(token: string): Promise<void> {
    if (projects.known(token)) return;
    try {
      if ((await withDeadline(projects.byToken(token))) === null) throw unknownToken();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
  }

  return {
    expect,
    check: (outside) => (envelope, events) => expect(tokenOf(envelope, events, { token: outside })),
  };
}
