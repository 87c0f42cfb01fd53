/** Responses by the results of a request's events. */
import type { ServerResponse } from 'node:http';
import type { JsonObject } from '#src/kit/json.ts';
import { answerDropped, answerOk, type EventsRequest } from './http.ts';
import type { EventResult } from './run-events.ts';
import { put } from './steps/draft.ts';

/** When every event was dropped, the response says so: `{"status":1}` would hide it. */
export function answerCapture(req: EventsRequest, res: ServerResponse, results: readonly EventResult[]): void {
  if (results.length === 0 || results.some(({ outcome }) => isKept(outcome))) answerOk(req, res);
  else {
    answerDropped(
      req,
      res,
      results.map(({ outcome }) => outcome),
    );
  }
}

function isKept(outcome: EventResult['outcome']): boolean {
  return outcome === 'stored' || outcome === 'duplicate';
}

/** The answer of the newer server capture for each event. */
export function resultsByUuid(uuids: readonly (string | undefined)[], results: readonly EventResult[]): JsonObject {
  const byUuid: JsonObject = {};
  for (let index = 0; index < results.length; index++) {
    const { uuid, outcome } = results[index] as EventResult;
    put(byUuid, uuids[index] ?? uuid, isKept(outcome) ? { result: 'ok' } : { result: 'drop', details: outcome });
  }
  return byUuid;
}
