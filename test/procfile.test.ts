/** A platform that reads the Procfile runs the server as `npm start` does: how much memory it takes depends on that. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const lines = new Map(
  readFileSync('Procfile', 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(/: (.*)/, 2) as [string, string]),
);

/** Plain JavaScript, which only Node itself loads as it stands. */
const launcher = JSON.parse(
  execFileSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { serverEnvironment, serverFlags } from './build.flags.mjs';
       console.log(JSON.stringify({ environment: serverEnvironment, flags: serverFlags() }));`,
    ],
    { encoding: 'utf8' },
  ),
) as { environment: Record<string, string>; flags: string[] };

it('tells Node what the launcher tells it, but for the heap, which follows the memory of the container', () => {
  const words = lines.get('web')?.split(' ') ?? [];
  const flags = launcher.flags.filter((flag) => !flag.startsWith('--max-old-space-size='));
  expect(words.filter((word) => word.startsWith('--'))).toEqual(flags);
  expect(lines.get('worker')?.split(' ')).toContain('--max-semi-space-size=8');
});

it.each(['web', 'worker'])('gives the %s process the environment that the launcher gives it', (name) => {
  const words = lines.get(name)?.split(' ') ?? [];
  const given = Object.entries(launcher.environment).map(([variable, value]) => `${variable}=${value}`);
  expect(given).not.toEqual([]);
  // Before the command, or it is an argument of it.
  expect(words.slice(0, words.indexOf('node'))).toEqual(expect.arrayContaining(given));
});
