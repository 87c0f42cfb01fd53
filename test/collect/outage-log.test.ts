/** A database that comes and goes: a line for each outage and state. */
import { createOutageLog } from '#src/collect/outage-log.ts';
import { busy, unavailable } from '#src/kit/errors.ts';

const STEADY_MS = 50;

it('logs an outage once while it flaps, a change of its state, and that it is over', async () => {
  const lines: string[] = [];
  const write = (...line: unknown[]) => void lines.push(String(line.at(-1)));
  const outages = createOutageLog({ error: write, info: write }, STEADY_MS);
  for (let turn = 0; turn < 20; turn++) {
    outages.away(busy('slow'), 'durable');
    outages.back();
  }
  outages.away(unavailable('away'), 'none');
  outages.away(unavailable('away'), 'none');
  expect(lines).toEqual(['database too slow', 'database unavailable']);
  outages.back();
  await new Promise((wake) => setTimeout(wake, 2 * STEADY_MS));
  expect(lines.splice(0)).toEqual(['database too slow', 'database unavailable', 'database available again']);
  outages.away(unavailable('away'), 'none');
  outages.stop();
  expect(lines).toEqual(['database unavailable']);
});
