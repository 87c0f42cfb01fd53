/**
 * Liveness and readiness. Neither queries the database: without PostgreSQL the
 * collector still spools events, and a load balancer that removed the process would stop that.
 */
import { Router } from 'express';

export interface Health {
  routes: Router;
  /** From now on requests are welcome. */
  ready(): void;
  /** From now on they are not: the process is about to stop. */
  stopping(): void;
}

export function createHealth(): Health {
  let state: 'starting' | 'ready' | 'stopping' = 'starting';
  const routes = Router();
  routes.get('/healthz', (_req, res) => {
    res.set('Cache-Control', 'no-store').type('text').send('ok\n');
  });
  routes.get('/readyz', (_req, res) => {
    res
      .status(state === 'ready' ? 200 : 503)
      .set('Cache-Control', 'no-store')
      .type('text')
      .send(`${state}\n`);
  });
  return {
    routes,
    ready() {
      if (state === 'starting') state = 'ready';
    },
    stopping() {
      state = 'stopping';
    },
  };
}
