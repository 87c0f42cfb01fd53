/** The server under test, as a process: the built `dist/main.js`, or another file of dist/. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ours } from './children.ts';
import { cpuSecondsOf } from './postgres.ts';

/** How the `Procfile` runs the web process: how much memory Node takes depends on it. */
const asDeployed = (() => {
  const text = readFileSync(new URL('../../../Procfile', import.meta.url), 'utf8');
  const words = (/^web: (.*)$/m.exec(text)?.[1] ?? '').split(' ');
  const node = words.indexOf('node');
  if (node < 0) throw new Error('the Procfile does not say how the web process is run');
  const assigned = words.slice(0, node).filter((word) => !word.includes('$'));
  return {
    env: Object.fromEntries(assigned.map((word) => word.split('=', 2) as [string, string])),
    flags: words.slice(node + 1).filter((word) => word.startsWith('--')),
  };
})();

/** Set by `npm test`: where code is kept compiled. In the whole table each start compiles its own. */
const compileCache = process.env['NODE_COMPILE_CACHE'];

/** @see proc(5), /proc/pid/clear_refs */
const RESET_PEAK = '5';

export interface ServerOptions {
  root: string;
  port: number;
  databaseUrl: string;
  /** Scratch folder: log, temporary files. */
  folder: string;
  env?: Record<string, string>;
  /** File of dist/ to run. */
  entry?: string;
  /** Of Node; those of the `Procfile` without it. */
  flags?: string[];
}

export interface Server {
  readonly url: string;
  readonly pid: number;
  /** Resolves when /readyz says so. @returns ms since the start */
  ready(limitMs?: number): Promise<number>;
  isReady(): Promise<boolean>;
  /** Sends a signal and waits for the end. */
  end(
    signal: NodeJS.Signals,
    limitMs?: number,
  ): Promise<{ code: number | null; signal: string | null; tookMs: number }>;
  readonly hasEnded: boolean;
  rssMb(): number;
  /** The most since the last call, or since the start. */
  takePeakMb(): number;
  cpuSeconds(): number;
  openFiles(): number;
  log(): string;
}

export function startServer(options: ServerOptions): Server {
  const { root, port, databaseUrl, folder, env = {}, entry = 'main.js', flags = asDeployed.flags } = options;
  const logFile = join(folder, `server-${port}.log`);
  const out = openSync(logFile, 'a');
  const startedAt = performance.now();
  const child: ChildProcess = spawn(process.execPath, [...flags, join(root, 'dist', entry)], {
    cwd: folder,
    stdio: ['ignore', out, out],
    detached: true,
    env: {
      ...asDeployed.env,
      PATH: process.env['PATH'] ?? '',
      NODE_ENV: 'production',
      DATABASE_URL: databaseUrl,
      PUBLIC_APP_URL: `http://127.0.0.1:${port}`,
      PORT: String(port),
      HOST: '127.0.0.1',
      TMPDIR: folder,
      ...(compileCache === undefined ? {} : { NODE_COMPILE_CACHE: compileCache }),
      ...env,
    },
  });
  closeSync(out);
  ours(child);
  const exit = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  let hasEnded = false;
  void exit.then(() => {
    hasEnded = true;
  });
  const url = `http://127.0.0.1:${port}`;
  const pid = child.pid as number;

  async function isReady(): Promise<boolean> {
    try {
      const { status } = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1000) });
      return status === 200;
    } catch {
      // Not listening yet, or stopping.
      return false;
    }
  }

  function memoryMb(field: 'VmRSS' | 'VmHWM'): number {
    if (hasEnded) return 0;
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  }

  return {
    url,
    pid,
    isReady,
    async ready(limitMs = 20_000) {
      while (!(await isReady())) {
        const waited = performance.now() - startedAt;
        if (hasEnded || waited > limitMs) throw new Error(`the server is not ready: ${logTail(logFile)}`);
        await sleep(25);
      }
      return performance.now() - startedAt;
    },
    async end(signal, limitMs = 40_000) {
      const since = performance.now();
      if (!hasEnded) process.kill(pid, signal);
      const timeout = sleep(limitMs, null, { ref: false });
      const ended = await Promise.race([exit, timeout]);
      if (!ended) {
        process.kill(pid, 'SIGKILL');
        throw new Error(`the server did not end within ${limitMs} ms of ${signal}: ${logTail(logFile)}`);
      }
      return { ...ended, tookMs: performance.now() - since };
    },
    get hasEnded() {
      return hasEnded;
    },
    rssMb: () => memoryMb('VmRSS'),
    takePeakMb() {
      const peakMb = memoryMb('VmHWM');
      if (!hasEnded) writeFileSync(`/proc/${pid}/clear_refs`, RESET_PEAK);
      return peakMb;
    },
    cpuSeconds: () => cpuSecondsOf(pid, false),
    openFiles: () => readdirSync(`/proc/${pid}/fd`).length,
    log: () => readFileSync(logFile, 'utf8'),
  };
}

function logTail(file: string): string {
  return readFileSync(file, 'utf8').slice(-3000);
}
