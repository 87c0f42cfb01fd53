/**
 * Security headers of everything but `/ingest`, which has its own (any origin may send there). A page's scripts run by a
 * nonce that is fresh for every response; the kept shell has none, and is allowed by the hashes of its scripts.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import helmet from 'helmet';
import type { Config } from '#src/config.ts';

type Sources = Pick<Config, 'PUBLIC_APP_URL' | 'PUBLIC_SUPABASE_URL' | 'TAG_MANAGER_HOSTS'>;

/** The nonce of this response's scripts. */
export function nonceOf(res: Response): string {
  const nonce: unknown = res.locals['nonce'];
  return typeof nonce === 'string' ? nonce : '';
}

/** The headers of the profile `page`: no framing, nothing from elsewhere but what settings name. */
export function pageHeaders(config: Sources): RequestHandler {
  const https = config.PUBLIC_APP_URL.startsWith('https:');
  const others = helmet({
    contentSecurityPolicy: false,
    strictTransportSecurity: https ? { maxAge: 63_072_000, includeSubDomains: true } : false,
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
  });
  const rest = commonPolicy(config);
  return (req, res, next) => {
    const nonce = randomBytes(16).toString('base64');
    res.locals['nonce'] = nonce;
    res.setHeader('Content-Security-Policy', `script-src 'nonce-${nonce}' 'strict-dynamic'; ${rest}`);
    res.setHeader('Permissions-Policy', 'camera=(), microphone=(), geolocation=(), payment=()');
    res.setHeader('X-Robots-Tag', 'noindex, nofollow');
    others(req, res, next);
  };
}

/** The policy of a page without a nonce: our own files, and the inline scripts that `html` holds. */
export function hashPolicy(config: Sources, html: string): string {
  const inline = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)];
  const hashes = inline.map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  const sources = ["'self'", ...new Set(hashes), ...config.TAG_MANAGER_HOSTS];
  return `script-src ${sources.join(' ')}; ${commonPolicy(config)}`;
}

function commonPolicy({ PUBLIC_SUPABASE_URL, TAG_MANAGER_HOSTS }: Sources): string {
  const backend = PUBLIC_SUPABASE_URL === undefined ? [] : [new URL(PUBLIC_SUPABASE_URL).origin];
  const list = (...sources: string[]) => sources.join(' ');
  return [
    "default-src 'none'",
    "style-src 'self'",
    list("img-src 'self' data:", ...TAG_MANAGER_HOSTS),
    "font-src 'self'",
    list("connect-src 'self'", ...backend, ...TAG_MANAGER_HOSTS),
    "manifest-src 'self'",
    "worker-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
