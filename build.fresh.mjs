/** Whether `dist/` is what the sources would become: by their content, since dates say little after a pull, a copy or an unpacked archive. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** What a build is made of, besides the installed packages, which the lock file names. */
const folders = ['src', 'views'];
const ownFiles = /^(build.*\.mjs|package(-lock)?\.json|tsconfig\.json)$/;

/** A hash over every file that a build consists of, names included. */
export async function fingerprintOf(root) {
  const listed = await Promise.all(
    folders.map((folder) => readdir(join(root, folder), { recursive: true, withFileTypes: true })),
  );
  const nested = listed
    .flat()
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
  const own = (await readdir(root)).filter((name) => ownFiles.test(name));
  const files = [...nested, ...own].sort();
  const hash = createHash('sha256');
  for (const file of files) {
    // Thousands of small files, before every start: a third of the work that it is in turns of the event loop.
    const content = createHash('sha256')
      .update(readFileSync(join(root, file)))
      .digest('hex');
    hash.update(`${file}\n${content}\n`);
  }
  return hash.digest('hex');
}

/** The first line of `dist/stamp`: what kind of build it is, when it was made and of what. */
export function stampOf(production, fingerprint) {
  return `${production ? 'production' : 'development'} ${Date.now()} ${fingerprint}\n`;
}

/** True when `dist/` holds a production build of exactly these sources. */
export async function isFresh(root, fingerprint) {
  const stamp = join(root, 'dist/stamp');
  if (!existsSync(stamp)) return false;
  const [kind, , made] = (await readFile(stamp, 'utf8')).trim().split(' ');
  return kind === 'production' && made === fingerprint;
}
