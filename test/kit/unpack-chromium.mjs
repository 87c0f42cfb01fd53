/**
 * Unpacks the browser of @sparticuz/chromium, its fonts and the libraries it needs into the folder that TMPDIR names. A process of
 * its own, since that package always writes to the temporary folder. Its libraries are in an archive meant for one cloud's
 * machines; they serve on any Linux, so nothing has to be installed.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import chromium, { inflate } from '@sparticuz/chromium';

const packed = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '../bin');
await Promise.all([chromium.executablePath(packed), inflate(join(packed, 'al2023.tar.br'))]);
