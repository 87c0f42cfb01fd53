/** Express as both threads set it up. */
import express, { type Express } from 'express';
import type { Config } from '#src/config.ts';

export function bareExpress({ TRUST_PROXY }: Pick<Config, 'TRUST_PROXY'>): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', TRUST_PROXY);
  app.set('query parser', 'simple');
  return app;
}
