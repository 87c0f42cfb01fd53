/**
 * Errors as real bundles throw them: causes in modules of an application that is built again and again with esbuild, each time with other code
 * around them, minified or not. Stacks are those of V8.
 */
import { basename } from 'node:path';
import { runInNewContext } from 'node:vm';
import { build, type OutputFile } from 'esbuild';
import type { JsonObject } from '#src/kit/json.ts';

export interface CorpusError {
  cause: number;
  build: number;
  isMinified: boolean;
  /** Properties of its event. */
  properties: JsonObject;
}

export interface CorpusBuild {
  errors: CorpusError[];
  /** By name of the script. */
  maps: Map<string, string>;
}

const CAUSES_PER_FILE = 20;
const files = ['cart', 'checkout', 'search', 'orders', 'account', 'catalog', 'prices', 'stock', 'mail', 'reports'];
const verbs = ['load', 'save', 'read', 'parse', 'apply', 'merge', 'send', 'check', 'count', 'format'];

/** Messages with values; every tenth cause says what others say too. */
const messages: ((cause: number) => string)[] = [
  (cause) => `\`Order \${value} has no ${verbs[cause % 10]} state ${word(cause)}\``,
  (cause) => `\`Request to https://api.shop.example/${word(cause)}/\${value}?t=\${value} failed with 500\``,
  (cause) => `\`${word(cause)}: user "\${value}@mail.example" is not allowed\``,
  (cause) => `\`Timeout of \${value} ms in ${word(cause)}\``,
  (cause) => `\`Invalid ${word(cause)} 7f9c24e8-3b12-4fa2-8d5e-0000000\${10000 + value}\``,
];

/** @returns one build of the application with all causes thrown `times` times, each with another value */
export async function buildCorpus(
  number: number,
  isMinified: boolean,
  causes: number,
  times: number,
): Promise<CorpusBuild> {
  const count = Math.ceil(causes / CAUSES_PER_FILE);
  const errors: CorpusError[] = [];
  const maps = new Map<string, string>();
  for (let file = 0; file < count; file++) {
    const name = `${files[file % files.length]}${file >= files.length ? '-list' : ''}`;
    const first = file * CAUSES_PER_FILE;
    const source = sourceOf(name, first, Math.min(CAUSES_PER_FILE, causes - first), number);
    const built = await build({
      stdin: { contents: source, sourcefile: `src/${name}.ts`, loader: 'ts', resolveDir: '/' },
      bundle: true,
      minify: isMinified,
      sourcemap: 'external',
      format: 'iife',
      outdir: '/dist',
      entryNames: '[name]-[hash]',
      write: false,
      logLevel: 'silent',
    });
    const output = (end: string) => built.outputFiles.find(({ path }) => path.endsWith(end)) as OutputFile;
    const code = output('.js');
    const script = `https://shop.example/assets/${basename(code.path).replace('stdin', name)}`;
    maps.set(script, output('.map').text);
    const thrown = runInNewContext(
      `${code.text}\nthrown`,
      { thrown: [], times, seed: number * 1000 },
      { filename: script },
    );
    for (const { cause, error } of thrown as { cause: number; error: Error }[]) {
      errors.push({ cause, build: number, isMinified, properties: { $exception_list: [exceptionOf(error)] } });
    }
  }
  return { errors, maps };
}

/** What a client makes of an error. */
function exceptionOf({ name, message, stack = '' }: Error): JsonObject {
  const frames = stack.split('\n').flatMap((line) => {
    const match = /^\s*at (?:(.+?) \()?(https:\S+?):(\d+):(\d+)\)?$/.exec(line);
    if (match === null) return [];
    const [, called = '?', filename = '', lineno, colno] = match;
    return [
      {
        platform: 'web:javascript',
        filename,
        function: called,
        lineno: Number(lineno),
        colno: Number(colno),
        in_app: true,
      },
    ];
  });
  return {
    type: name,
    value: message,
    mechanism: { type: 'generic', handled: false },
    stacktrace: { type: 'raw', frames: frames.reverse() },
  };
}

function sourceOf(file: string, first: number, count: number, build: number): string {
  const others = Array.from({ length: (build * 7) % 23 }, (_, at) => filler(file, at, build));
  const parts = Array.from({ length: count }, (_, at) => causeOf(first + at, build));
  return `
declare const thrown: { cause: number; error: unknown }[], times: number, seed: number;
const kept: ((n: number) => unknown)[] = [];
function keep(fn: (n: number) => unknown): void { kept.push(fn); }
${others.join('\n')}
${parts.join('\n')}
Object.assign(globalThis, { kept });
`;
}

function filler(file: string, at: number, build: number): string {
  return `
function ${file.replace('-', '')}Helper${at}(amount: number): string {
  const rate${at} = amount * ${build + at};
  return rate${at} > ${at} ? 'more ' + rate${at} : 'less';
}
keep(${file.replace('-', '')}Helper${at});`;
}

/** A cause: called by a handler of its own, through a helper that other causes of the file use too, thrown deep within. */
function causeOf(cause: number, build: number): string {
  const name = `${verbs[cause % 10]}${capital(word(cause))}`;
  const isShared = cause % 10 === 9;
  const message = isShared
    ? "'Failed to fetch'"
    : (messages[cause % messages.length] as (cause: number) => string)(cause);
  const deeper = Array.from({ length: cause % 4 }, (_, at) => at);
  const body = `
  if (value % 2 === 0) keep((n) => n + ${cause});
  throw ${cause % 3 === 0 ? 'new TypeError' : 'new Error'}(${message});`;
  const chain = deeper.map(
    (at) => `
function ${name}Part${at}(value: number): number {
  const result: number = ${at === 0 ? name : `${name}Part${at - 1}`}(value);
  return result + ${at + build};
}`,
  );
  const outer = deeper.length === 0 ? name : `${name}Part${deeper.length - 1}`;
  return `
function ${name}(value: number): number {${body}
}
${chain.join('\n')}
function on${capital(name)}Click(value: number): void {
  try {
    const total = ${outer}(value);
    keep((n) => n + total);
  } catch (error) {
    thrown.push({ cause: ${cause}, error });
  }
}
for (let time = 0; time < times; time++) on${capital(name)}Click(seed + time);`;
}

function word(cause: number): string {
  const syllables = ['ka', 'lo', 'mi', 'ne', 'pu', 'ra', 'si', 'to', 've', 'zo'];
  return `${syllables[Math.floor(cause / 100) % 10]}${syllables[Math.floor(cause / 10) % 10]}${syllables[cause % 10]}t`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
