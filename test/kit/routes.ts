/** Everything that answers, as the application itself lists it: a route that is added is tested without being written down here. */
import type { AnyTRPCProcedure } from '@trpc/server';
import type { Express, Router } from 'express';
import { appRouter } from '#src/router.ts';
import { routes as screens } from '#views/routes.tsx';

export interface HttpRoute {
  method: string;
  /** Pattern, from the root. */
  path: string;
}

interface Listed {
  path: string | RegExp;
  methods?: string[];
  router?: Router;
}

/** Routes of Express, nested ones included. What is mounted as a plain handler (calls, pages, events) is not among them. */
export function httpRoutes(app: Express): HttpRoute[] {
  return listed(app.router as unknown as Listing, '').filter(({ method }) => method !== 'HEAD');
}

interface Listing {
  listRoutes(): Listed[];
}

function listed(router: Listing, prefix: string): HttpRoute[] {
  return router.listRoutes().flatMap(({ path, methods = [], router: inner }) => {
    if (typeof path !== 'string') throw new Error(`a route is given by a pattern that cannot be called: ${path}`);
    const whole = path === '/' && prefix !== '' ? prefix : `${prefix}${path}`.replace(/^\/\//, '/');
    if (inner) return listed(inner as unknown as Listing, whole === '/' ? '' : whole);
    return methods.map((method) => ({ method, path: whole }));
  });
}

/** The procedures of the product. */
export function procedures(): { path: string; type: 'query' | 'mutation' | 'subscription' }[] {
  const all = appRouter._def.procedures as unknown as Record<string, AnyTRPCProcedure>;
  return Object.entries(all).map(([path, { _def }]) => ({ path, type: _def.type as 'query' }));
}

/** Addresses of all screens, with their `:name` parts filled in. */
export function screenPaths(values: Record<string, string | number>): string[] {
  return screens.map(({ path }) => filled(path, values));
}

/** A pattern as an address; a part that nobody gave a value for gets one that fits nothing. */
export function filled(pattern: string, values: Record<string, string | number>): string {
  return pattern.replace(/[:*](\w+)/g, (_, name: string) => String(values[name] ?? `no-${name}`));
}
