/** Express as both threads set it up. */
import express, { type Express, type Request } from 'express';
import { clientAddress, type ProxySettings } from '#src/proxies/client-address.ts';

export function bareExpress(settings: ProxySettings): Express {
  const app = express();
  const addressOf = clientAddress(settings);
  app.disable('x-powered-by');
  app.disable('etag');
  // For protocol and host; the client address is determined by our own code.
  app.set('trust proxy', settings.TRUST_PROXY);
  Object.defineProperty(app.request, 'ip', {
    get(this: Request) {
      return addressOf(this);
    },
    configurable: true,
  });
  app.set('query parser', 'simple');
  return app;
}
