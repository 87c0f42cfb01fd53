/** What all rows of a run share: one PostgreSQL, a scratch folder, ports. */
import { cp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { openPostgres, type Postgres } from './postgres.ts';
import type { Stage } from './row.ts';
import { openScene, type Scene } from './scene.ts';

export interface StageOptions {
  root: string;
  scratch: string;
  pace: Stage['pace'];
}

export interface OpenStage {
  forRow(id: string): Stage;
  /** Ends what the row left running, and brings PostgreSQL back. */
  afterRow(): Promise<void>;
  close(): Promise<void>;
}

const PORTS = 100;
const PORTS_PER_SCENE = 10;

export async function openStage({ root, scratch, pace }: StageOptions): Promise<OpenStage> {
  // The build may be replaced while we run: what we start is a copy, where the packages are still found.
  const copy = join(root, '.luneta', `faults-${process.pid}`);
  await cp(join(root, 'dist'), join(copy, 'dist'), { recursive: true });
  const base = await freePorts();
  const postgres: Postgres = await openPostgres(root, join(scratch, 'postgres'), base);
  await postgres.start();
  let opened: Scene[] = [];
  let scenes = 0;

  return {
    forRow: (id) => ({
      pace,
      root,
      scratch,
      freePort: freePorts,
      async open(name = id.toLowerCase(), options = {}) {
        // Ports of a scene before may still be in their last state; a hundred of them go round.
        const firstPort = base + 1 + (scenes++ % 9) * PORTS_PER_SCENE;
        const scene = await openScene({ root: copy, scratch, postgres, name, firstPort, ...options });
        opened.push(scene);
        return scene;
      },
    }),
    async afterRow() {
      postgres.thaw();
      for (const scene of opened) await scene.close();
      opened = [];
      await postgres.stop();
      await postgres.start();
    },
    async close() {
      await postgres.stop();
      await rm(copy, { recursive: true, force: true });
    },
  };
}

/** The first of a hundred ports that nobody seems to use: several runs may go on at once. */
async function freePorts(): Promise<number> {
  for (;;) {
    const base = 20_000 + Math.floor(Math.random() * 300) * PORTS;
    if ((await isFree(base)) && (await isFree(base + 1))) return base;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
