/** Sends the requests of a fixture to a collector, with the clock at their receipt, and reports on them. */
import { request } from 'node:http';
import type { JsonObject } from '#src/kit/json.ts';
import { type Answer, timeOf } from './compare.ts';
import { bodyOf, type Fixture, type FixtureRequest } from './fixture.ts';
import type { Stored } from './stored.ts';

export interface Replaying {
  url: string;
  clock: { set(ms: number): void };
}

/** One after the other, as they came. */
export async function replay({ requests }: Fixture, { url, clock }: Replaying): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const recorded of requests) {
    clock.set(Date.parse(recorded.at));
    answers.push(await send(url, recorded));
  }
  return answers;
}

/** Sends exactly these bytes with exactly these headers: no client library adds anything. */
export function send(
  url: string,
  recorded: Pick<FixtureRequest, 'method' | 'path' | 'headers'> & Partial<FixtureRequest>,
): Promise<Answer> {
  const body = bodyOf(recorded as FixtureRequest);
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const headers = body.length > 0 ? { ...recorded.headers, 'content-length': body.length } : recorded.headers;
    const outgoing = request(
      { hostname, port, method: recorded.method, path: `/ingest${recorded.path}`, headers },
      (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('error', reject);
        res.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: res.statusCode ?? 0, headers: res.headers as Record<string, string>, text });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Request by request, what was answered and what of it is stored; then what was expected. */
export function report(fixture: Fixture, answers: readonly Answer[], stored: Stored, wrong: readonly string[]): string {
  const { head, requests, expect } = fixture;
  const lines = [`${fixture.name}: ${head.about}`, `  known ${JSON.stringify(head.known)}`];
  for (const [index, { at, method, path }] of requests.entries()) {
    const answer = answers[index];
    lines.push(
      `  ${at} ${method} ${path.slice(0, 110)}`,
      `    answered ${answer?.status} ${answer?.text.slice(0, 120).trim()}`,
    );
    const isLast = !requests.slice(index + 1).some((later) => later.at === at);
    if (!isLast) continue;
    for (const event of stored.events.filter(({ receivedAt }) => receivedAt === Date.parse(at))) {
      const { event: name, distinctId, session, marks } = event;
      lines.push(`    stored ${timeOf(event.ts)} ${name} of ${distinctId} session ${session} ${marks.join(' ')}`);
      lines.push(`      ${brief(event.properties)}`);
    }
  }
  for (const person of stored.persons) lines.push(`  person ${JSON.stringify(person).slice(0, 600)}`);
  for (const session of stored.sessions) lines.push(`  session ${JSON.stringify(session)}`);
  lines.push(`  drops ${JSON.stringify(stored.drops)} groups ${JSON.stringify(stored.groups)}`);
  for (const event of expect.events) lines.push(`  expected ${JSON.stringify(event)}`);
  for (const person of expect.persons ?? []) lines.push(`  expected person ${JSON.stringify(person)}`);
  return [...lines, ...wrong.map((each) => `  WRONG ${each}`)].join('\n');
}

function brief(properties: JsonObject): string {
  const text = JSON.stringify(properties);
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}
