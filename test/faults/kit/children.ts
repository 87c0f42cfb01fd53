/** Processes that must not outlive the run, however it ends. */
import type { ChildProcess } from 'node:child_process';

const alive = new Set<ChildProcess>();

/** Kills the process when this one ends. */
export function ours(child: ChildProcess): ChildProcess {
  alive.add(child);
  child.once('exit', () => alive.delete(child));
  return child;
}

process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
