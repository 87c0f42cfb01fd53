/** What is installed with the program: exact versions, and licences that let anybody run and change it. */
import { readFileSync } from 'node:fs';

interface Locked {
  version?: string;
  license?: string;
  resolved?: string;
  integrity?: string;
  dev?: boolean;
  optional?: boolean;
  link?: boolean;
}

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Locked> };
const own = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, Record<string, string> | undefined>;
const installed = Object.entries(lock.packages).filter(([path, { link }]) => path !== '' && !link);
const running = installed.filter(([, { dev }]) => !dev);

const permissive =
  /^(MIT|MIT-0|ISC|0BSD|Unlicense|BSD-[23]-Clause|Apache-2\.0|CC0-1\.0|BlueOak-1\.0\.0|Python-2\.0|PostgreSQL)$/;

/** Of several to choose from one is enough; of several at once all are needed. */
function isPermissive(license = ''): boolean {
  const inside = license.replace(/^\(|\)$/g, '');
  return inside.split(' OR ').some((choice) => choice.split(' AND ').every((name) => permissive.test(name)));
}

/** Their manifests say it the old way or not at all; the texts beside them are the MIT licence. */
const saidElsewhere = ['node_modules/passport-local', 'node_modules/passport-strategy', 'node_modules/pause'];

it('is pinned: exact versions, each with the hash of what was looked at', () => {
  const ranges = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
    Object.entries(own[kind] ?? {}).filter(
      ([, version]) => !/^(npm:[\w@/.-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
    ),
  );
  expect(ranges).toEqual([]);
  expect(installed.length).toBeGreaterThan(300);
  // Of optional packages for other machines only the name is known here.
  const unknown = installed.filter(([, { integrity, optional }]) => !optional && !integrity?.startsWith('sha512-'));
  expect(unknown.map(([path]) => path)).toEqual([]);
});

it('is permissive in everything that runs', () => {
  expect(running.length).toBeGreaterThan(100);
  const others = running.filter(([path, { license }]) => !isPermissive(license) && !saidElsewhere.includes(path));
  expect(others.map(([path, { license }]) => [path, license])).toEqual([]);
});

it('has nothing that binds what is built with it', () => {
  const binding = installed.filter(([, { license = '' }]) => /\b(A?GPL|LGPL|SSPL|BUSL|EUPL|CDDL)\b/.test(license));
  expect(binding.map(([path]) => path)).toEqual([]);
});
