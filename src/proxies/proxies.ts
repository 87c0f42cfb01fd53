/**
 * Proxies in front of Luneta: which address a request comes from, and whether the settings fit what requests say. A wrong TRUST_PROXY breaks
 * nothing that anyone sees: all visitors get one address, and so one country and one limit, or can invent theirs. Owns no table.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Processes } from '#src/processes/processes.ts';
import type { Deps } from '#src/store/deps.ts';
import type { ProxyProblem, StatedLocation } from './contract.ts';
import { statedLocation } from './location.ts';
import { createSample, type Sighting } from './sample.ts';

export interface Proxies {
  /** Notes a request with events. */
  note(sighting: Sighting): void;
  /** A client's location from a trusted proxy's headers (GEOIP_HEADERS); null: not stated. */
  location(headers: IncomingHttpHeaders): StatedLocation | null;
  /** Misconfiguration detected by any process. @throws while the database is unavailable */
  problem(): Promise<ProxyProblem | null>;
}

const PART = 'proxies';

const SHARED = 'visitors share an address: check TRUST_PROXY and CLIENT_IP_HEADER';
const MESSAGES: Record<ProxyProblem['kind'], string> = {
  untrusted: SHARED,
  oneAddress: SHARED,
  excess: 'more proxies are trusted than requests pass, so visitors can invent addresses: check TRUST_PROXY',
};

export function createProxies(
  { config, clock, log }: Pick<Deps, 'config' | 'clock' | 'log'>,
  processes: Pick<Processes, 'tell' | 'read'>,
): Proxies {
  const sample = createSample(config, clock.elapsed);
  let logged: ProxyProblem['kind'] | null = null;

  /** One line per problem, not per look. */
  function look(): ProxyProblem | null {
    const problem = sample.problem();
    if (problem !== null && problem.kind !== logged) {
      log.warn(problem, MESSAGES[problem.kind]);
    }
    logged = problem?.kind ?? null;
    return problem;
  }

  processes.tell(PART, look);
  return {
    note: sample.add,
    location: (headers) => statedLocation(config, headers),
    async problem() {
      const reports = await processes.read<ProxyProblem | null>(PART);
      return reports.find(({ isLiving, says }) => isLiving && says !== null)?.says ?? null;
    },
  };
}
