/**
 * Authorizes reading definitions: a secret key of the project, or a personal key with the scope and its owner in the project's team. Cached
 * briefly, because servers poll.
 */
import { createHash } from 'node:crypto';
import type { Accounts } from '#src/accounts/accounts.ts';
import { isLate } from '#src/kit/late.ts';
import { createRecent } from '#src/kit/recent.ts';
import type { ApiKeys } from '#src/projects/api-keys/api-keys.ts';
import type { Project } from '#src/projects/projects.ts';
import { isProjectSecret, type ProjectSecrets } from '#src/projects/secrets/secrets.ts';
import type { Deps } from '#src/store/deps.ts';

export type KeyAnswer = 'allowed' | 'unknown' | 'forbidden';

export interface FlagKeys {
  /** @throws AppError `unavailable` while the database is away and the key is not remembered */
  check(key: string, project: Pick<Project, 'id' | 'teamId'>): Promise<KeyAnswer>;
}

export interface FlagKeysParts {
  apiKeys: Pick<ApiKeys, 'byKey'>;
  secrets: Pick<ProjectSecrets, 'projectOf'>;
  accounts: Pick<Accounts, 'reader'>;
}

const REMEMBER_MS = 10_000;
const RETRY_MS = 1_000;
const OLD_MS = 100;

interface Held {
  answer: KeyAnswer;
  until: number;
}

export function createFlagKeys(
  { clock }: Pick<Deps, 'clock'>,
  { apiKeys, secrets, accounts }: FlagKeysParts,
): FlagKeys {
  const remembered = createRecent<string, Held>(2_000);

  async function ask(key: string, { id, teamId }: Pick<Project, 'id' | 'teamId'>): Promise<KeyAnswer> {
    if (isProjectSecret(key)) {
      const owner = await secrets.projectOf(key);
      return owner === null ? 'unknown' : owner === id ? 'allowed' : 'forbidden';
    }
    const presented = await apiKeys.byKey(key);
    const reader = presented && (await accounts.reader(presented.userId));
    if (presented === null || reader === null) return 'unknown';
    const isReached = reader.teams.some((team) => team.id === teamId);
    if (!isReached || (presented.projects !== null && !presented.projects.includes(id))) return 'forbidden';
    return presented.scopes.includes('flags:read') ? 'allowed' : 'forbidden';
  }

  return {
    async check(key, project) {
      const name = createHash('sha256').update(`${project.id} ${key}`).digest('base64');
      const held = remembered.get(name);
      if (held !== undefined && clock.elapsed() < held.until) return held.answer;
      const asked = ask(key, project);
      const keep = (answer: KeyAnswer, forMs: number) =>
        remembered.set(name, { answer, until: clock.elapsed() + forMs });
      asked.then((answer) => keep(answer, REMEMBER_MS)).catch(() => undefined);
      // A server that was allowed stays so while the database is away.
      if (held?.answer !== 'allowed') return asked;
      if (await isLate(asked, OLD_MS)) return held.answer;
      return asked.catch(() => {
        keep(held.answer, RETRY_MS);
        return held.answer;
      });
    },
  };
}
