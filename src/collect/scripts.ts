/**
 * The scripts that posthog-js loads when it needs them, straight from the installed package. Each address answers with the installed
 * version; only that version's own address is cached for ever.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type ScriptEncoding = 'br' | 'gzip' | 'identity';

export interface Script {
  type: string;
  /** Strong, of the uncompressed text. */
  etag: string;
  body(encoding: ScriptEncoding): Promise<Buffer>;
}

export interface Scripts {
  readonly version: string;
  /** A file of the package by name (`recorder.js`), or null. */
  get(file: string): Script | null;
}

/** Finds the installed posthog-js. */
export function createScripts(): Scripts {
  const folder = dirname(createRequire(import.meta.url).resolve('posthog-js'));
  const { version } = JSON.parse(readFileSync(join(folder, '../package.json'), 'utf8')) as { version: string };
  const files = new Set(readdirSync(folder).filter((name) => /^[\w.-]+\.js(\.map)?$/.test(name)));
  const scripts = new Map<string, Script>();
  function get(file: string): Script | null {
    if (!files.has(file)) return null;
    let script = scripts.get(file);
    if (script === undefined) {
      const type = file.endsWith('.map') ? 'application/json' : JAVASCRIPT;
      script = createScript(`"${version}-${file}"`, type, () => readFile(join(folder, file)));
      scripts.set(file, script);
    }
    return script;
  }
  return { version, get };
}

export const JAVASCRIPT = 'text/javascript; charset=utf-8';

/** A script that is read and compressed at most once; failures are not cached. */
export function createScript(etag: string, type: string, read: () => Promise<Buffer>): Script {
  const bodies = new Map<ScriptEncoding, Promise<Buffer>>();
  function body(encoding: ScriptEncoding): Promise<Buffer> {
    let made = bodies.get(encoding);
    if (made === undefined) {
      made = encoding === 'identity' ? read() : body('identity').then((text) => compress(encoding, text));
      bodies.set(encoding, made);
      made.catch(() => bodies.delete(encoding));
    }
    return made;
  }
  return { type, etag, body };
}

/** Quality 6: nine tenths of the best size in a fiftieth of the time, since it happens while someone waits. */
function compress(encoding: 'br' | 'gzip', text: Buffer): Promise<Buffer> {
  return encoding === 'br'
    ? promisify<Buffer, object, Buffer>(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } })
    : promisify<Buffer, object, Buffer>(gzip)(text, { level: 8 });
}

/** The best of our encodings that the client takes. */
export function encodingFor(acceptEncoding: string | undefined): ScriptEncoding {
  if (acceptEncoding === undefined) return 'identity';
  if (/\bbr\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(acceptEncoding)) return 'br';
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(acceptEncoding) ? 'gzip' : 'identity';
}
