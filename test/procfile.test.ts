/** A platform starts the server by the `Procfile`, `npm start` by `build.flags.mjs`: both tell Node and the C library the same. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Written in plain JavaScript, for a Node that runs nothing else yet. */
function launcher(): { flags: string[]; env: Record<string, string> } {
  const script = `
    import { serverEnv, serverFlags } from './build.flags.mjs';
    console.log(JSON.stringify({ flags: serverFlags(), env: serverEnv }));`;
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root });
  return JSON.parse(out.toString());
}

/** What stands before `node` in the line of a process, and between that and the file. */
function processOf(name: string) {
  const line = readFileSync(`${root}/Procfile`, 'utf8').match(new RegExp(`^${name}: (.*?)node (.*) \\S+\\.js$`, 'm'));
  const words = (part: string | undefined) => part?.trim().split(/\s+/) ?? [];
  return { env: Object.fromEntries(words(line?.[1]).map((word) => word.split('='))), flags: words(line?.[2]) };
}

/** How much memory there is, the platform says. */
const forAll = ({ flags }: { flags: string[] }) => flags.filter((flag) => !flag.startsWith('--max-old-space-size='));

describe.each(['web', 'worker'])('%s', (name) => {
  it('sets for the C library what npm start sets', () => {
    const { env } = launcher();
    expect(Object.keys(env)).not.toEqual([]);
    expect(processOf(name).env).toMatchObject(env);
  });
});

it('gives Node the flags that npm start gives', () => {
  expect(processOf('web').flags.sort()).toEqual(forAll(launcher()).sort());
  // Nobody sends requests to a worker.
  const withoutRequests = forAll(launcher()).filter((flag) => !flag.startsWith('--max-http-header-size='));
  expect(processOf('worker').flags.sort()).toEqual(withoutRequests.sort());
});
