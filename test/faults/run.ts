/**
 * `npm run test:faults [-- R1 R4 … --short --keep]`: the reliability table against the built program, with processes that are really killed.
 * `--keep` leaves the logs, spools and databases of the run in the folder that it prints.
 * Each row prints its figures; a table of what was asked and seen, and a line that sums up, come last. Takes about an hour in full; one row at a time, since each wants the machine.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check, describe, isPassed, type Result, type Row, tableOf } from './kit/row.ts';
import { openStage } from './kit/stage.ts';
import { rows } from './rows.ts';

const args = process.argv.slice(2);
const isKept = args.includes('--keep');
const pace = args.includes('--short') ? 'short' : 'full';
const asked = args.filter((arg) => /^[mr]\d+$/i.test(arg)).map((arg) => arg.toUpperCase());
const chosen = asked.length > 0 ? rows.filter(({ id }) => asked.includes(id)) : rows;
const unknown = asked.filter((id) => !rows.some((row) => row.id === id));
const say = (text: string) => process.stdout.write(`${text}\n`);

const scratch = await mkdtemp(join(tmpdir(), 'luneta-faults-'));
// PostgreSQL may run under another account than we do, and has to get to its folder.
await chmod(scratch, 0o755);
const stage = await openStage({ root: process.cwd(), scratch, pace });
const results: { id: string; result: Result }[] = [];
let passed = 0;
let failed = unknown.length;
for (const id of unknown) say(`${id.padEnd(4)} FAIL  there is no such row`);
try {
  for (const row of chosen) {
    const startedAt = performance.now();
    const result = await runRow(row);
    say(describe(row, result, performance.now() - startedAt));
    results.push({ id: row.id, result });
    if (isPassed(result)) passed++;
    else failed++;
  }
} finally {
  await stage.close();
  if (isKept) say(`kept: ${scratch}`);
  else await rm(scratch, { recursive: true, force: true });
}
say(`\n${tableOf(results)}\n`);
say(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

async function runRow(row: Row): Promise<Result> {
  try {
    return await row.run(stage.forRow(row.id));
  } catch (error) {
    return { figures: [], checks: [check((error as Error).stack ?? String(error), false)] };
  } finally {
    await stage.afterRow();
  }
}
