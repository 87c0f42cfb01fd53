/** Starts the sender of the intake benches, and waits for what it has seen. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Sending, SendOptions } from './ingest-sender.ts';

export type { Sending, SendOptions } from './ingest-sender.ts';

export async function send(options: SendOptions): Promise<Sending> {
  const script = fileURLToPath(new URL('./ingest-sender.ts', import.meta.url));
  const child = spawn(process.execPath, ['--no-warnings', script, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    return JSON.parse(line) as Sending;
  }
  throw new Error('the sender ended without a result');
}
