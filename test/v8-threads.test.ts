import { execFileSync } from 'node:child_process';
import { getPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** In a process of its own: how important its threads are cannot be put back. */
function priorities(): Record<string, number[]> {
  const script = `
    import { readdirSync, readFileSync } from 'node:fs';
    import { getPriority } from 'node:os';
    import { putV8ThreadsBehind } from './src/v8-threads.ts';
    putV8ThreadsBehind({ debug: (...said) => console.error(said) });
    const threads = {};
    for (const thread of readdirSync('/proc/self/task')) {
      const name = readFileSync('/proc/self/task/' + thread + '/comm', 'utf8').trim();
      (threads[name] ??= []).push(getPriority(Number(thread)));
    }
    console.log(JSON.stringify(threads));`;
  const out = execFileSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], { cwd: root });
  return JSON.parse(out.toString());
}

/** Elsewhere threads have no priority of their own. */
const onLinux = process.platform === 'linux' ? it : it.skip;

onLinux('puts the threads with which V8 helps itself behind all others', () => {
  const { V8Worker: helpers = [], ...others } = priorities();
  expect(helpers.length).toBeGreaterThan(0);
  expect(new Set(helpers)).toEqual(new Set([Math.min(getPriority() + 10, 19)]));
  expect(new Set(Object.values(others).flat())).toEqual(new Set([getPriority()]));
});
