/**
 * Protection against DNS rebinding: a foreign site with a name that resolves to 127.0.0.1 would be the same
 * origin for the browser. So requests over loopback must have our host name.
 */
import type { RequestHandler } from 'express';
import { AppError } from '#src/kit/errors.ts';

const LOOPBACK_NAME = /^(localhost|[a-z0-9-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const LOOPBACK_ADDRESS = /^(::1$|127\.|::ffff:127\.)/;

/** @param appUrl PUBLIC_APP_URL: the name that people know us by */
export function refuseForeignHosts(appUrl: string): RequestHandler {
  const own = new URL(appUrl).hostname;
  return (req, _res, next) => {
    if (!LOOPBACK_ADDRESS.test(req.socket.localAddress ?? '')) return next();
    const name = (req.get('host') ?? '').toLowerCase().replace(/:\d+$/, '');
    if (name === own || LOOPBACK_NAME.test(name)) return next();
    next(new AppError('forbidden', `Wrong address for this server. Open ${appUrl}.`));
  };
}
