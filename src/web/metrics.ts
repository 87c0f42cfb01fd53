/**
 * `/metrics` for Prometheus: process metrics and the rooms' own, collected on request. Not public:
 * requires METRICS_TOKEN, or, when it is not set, a direct request from this machine.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { type Request, Router } from 'express';
import type { Registry } from 'prom-client';
import { AppError } from '#src/kit/errors.ts';
import { isLoopback } from '#src/kit/loopback.ts';

export interface Metric {
  /** In Prometheus' manner: `luneta_events_stored_total`. */
  name: string;
  help: string;
  /** `counter`: only ever grows while the process lives. */
  kind: 'counter' | 'gauge';
  /** Name of the label, when `read` gives several values. */
  label?: string;
  /** Null: nothing to say just now. */
  read(): Reading | Promise<Reading>;
}

type Reading = number | null | Record<string, number>;

/** @param token METRICS_TOKEN */
export function metricsRoutes(metrics: readonly Metric[], token: string | undefined): Router {
  /** From the first question on: the process's own figures cost a little all the time. */
  let registry: Promise<Registry> | null = null;
  const routes = Router();
  routes.get('/metrics', async (req, res) => {
    if (!mayReadMetrics(req, token)) throw new AppError('forbidden', 'Metrics require a bearer token (METRICS_TOKEN).');
    registry ??= openRegistry(metrics).catch((error: unknown) => {
      registry = null; // the next caller may find it
      throw error;
    });
    const known = await registry;
    const text = await known.metrics();
    res.set('Cache-Control', 'no-store').type(known.contentType).send(text);
  });
  return routes;
}

async function openRegistry(metrics: readonly Metric[]): Promise<Registry> {
  const client = await import('prom-client');
  const registry = new client.Registry();
  client.collectDefaultMetrics({ register: registry });
  for (const metric of metrics) register(client, registry, metric);
  return registry;
}

function register(
  { Counter, Gauge }: typeof import('prom-client'),
  registry: Registry,
  { name, help, kind, label, read }: Metric,
): void {
  const options = { name, help, labelNames: label === undefined ? [] : [label], registers: [registry] };
  const setAll = (reading: Reading, set: (labels: Record<string, string>, value: number) => void) => {
    if (typeof reading === 'number') set({}, reading);
    else if (reading !== null && label !== undefined) {
      for (const [key, value] of Object.entries(reading)) set({ [label]: key }, value);
    }
  };
  if (kind === 'gauge') {
    new Gauge({
      ...options,
      async collect() {
        const reading = await read();
        this.reset();
        setAll(reading, (labels, value) => this.set(labels, value));
      },
    });
  } else {
    new Counter({
      ...options,
      async collect() {
        const reading = await read();
        this.reset();
        setAll(reading, (labels, value) => this.inc(labels, value));
      },
    });
  }
}

function mayReadMetrics(req: Request, token: string | undefined): boolean {
  if (token !== undefined) return equal(req.get('authorization') ?? '', `Bearer ${token}`);
  // A proxy on this machine connects from loopback, too, but adds a forwarding header.
  const passedOn = req.get('x-forwarded-for') ?? req.get('forwarded') ?? req.get('via');
  // Or states the client's address in CLIENT_IP_HEADER.
  return passedOn === undefined && [req.socket.remoteAddress, req.ip].every((address) => isLoopback(address ?? ''));
}

/** Constant-time comparison. */
function equal(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
