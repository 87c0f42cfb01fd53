/** A context for testing steps: a project with default settings, a request of a moment ago, lookups that know a little. */

import { describeDevice } from '#src/collect/lookups.ts';
import type { Lookups, Place, RequestFacts, StepContext, StepProject } from '#src/collect/steps/draft.ts';
import { createGroupCache } from '#src/collect/steps/group-cache.ts';
import { type Dropped, runSteps } from '#src/collect/steps.ts';
import type { FinishedEvent } from '#src/events/contract.ts';
import type { JsonObject, JsonValue } from '#src/kit/json.ts';
import { projectSettings } from '#src/projects/contract.ts';

/** Thursday, 19 November 2026, 15:00 UTC. */
export const NOW = Date.UTC(2026, 10, 19, 15);
export const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';

export interface TestContext extends StepContext {
  warnings: { reason: string; event: string; detail?: string | undefined }[];
}

const NOWHERE: Place = { country: null, region: null, regionName: null, city: null };

const lookups: Lookups = {
  place: (address) =>
    address.startsWith('177.') || address.startsWith('2804:') ? { ...NOWHERE, country: 'BR' } : NOWHERE,
  isBot: (userAgent) => /bot|curl|Headless/i.test(userAgent),
  device: describeDevice,
};

export function testContext(
  overrides: {
    settings?: Partial<StepProject['settings']>;
    closedUntil?: number;
    timeZone?: string;
    facts?: Partial<RequestFacts>;
    salts?: ReadonlyMap<string, Buffer>;
  } = {},
): TestContext {
  const warnings: TestContext['warnings'] = [];
  return {
    project: {
      id: 7,
      timeZone: overrides.timeZone ?? 'America/Sao_Paulo',
      settings: { ...projectSettings.parse({}), ...overrides.settings },
      closedUntil: overrides.closedUntil ?? null,
    },
    facts: {
      receivedAt: NOW,
      token: 'lnt_a',
      sentAt: NOW,
      address: '177.32.5.9',
      userAgent: CHROME,
      origin: null,
      historical: false,
      unclean: true,
      maxEventLength: 1024 * 1024,
      small: true,
      ...overrides.facts,
    },
    lookups,
    cache: createGroupCache(),
    salts: overrides.salts ?? new Map(),
    earlier: { lastTimes: new Map(), derived: new Map() },
    warn: (reason, draft, detail) => warnings.push({ reason, event: draft.event, detail }),
    warnings,
  };
}

/** Runs all steps over a browser event; `event`, `distinct_id` and `timestamp` have values unless given. */
export function run(raw: JsonValue, context: StepContext = testContext()): FinishedEvent | Dropped {
  return runSteps(raw, context);
}

/** The finished event, or a test failure that names the reason. */
export function finished(raw: JsonObject, context: StepContext = testContext()): FinishedEvent {
  const result = runSteps({ event: 'a', distinct_id: 'd', ...raw }, context);
  if ('drop' in result) throw new Error(`dropped: ${result.drop}`);
  return result;
}

/** The reason for which the event is dropped, or null. */
export function dropOf(raw: JsonValue, context: StepContext = testContext()): string | null {
  const result = runSteps(raw, context);
  return 'drop' in result ? result.drop : null;
}
