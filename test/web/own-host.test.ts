import express from 'express';
import request from 'supertest';
import type { AppError } from '#src/kit/errors.ts';
import { refuseForeignHosts } from '#src/web/own-host.ts';

const app = express();
app.use(refuseForeignHosts('https://luneta.example'));
app.get('/', (_req, res) => void res.send('in'));
app.use((error: AppError, _req: unknown, res: express.Response, _next: unknown) => void res.status(error.status).end());

it.each([
  ['luneta.example', 200],
  ['localhost:3000', 200],
  ['shop.localhost:3000', 200],
  ['127.0.0.1', 200],
  ['[::1]:3000', 200],
  ['LUNETA.example', 200],
  ['evil.example', 403],
  ['localhost.evil.example', 403],
  ['127.0.0.1.evil.example:3000', 403],
  ['luneta.example.evil', 403],
])('over loopback, asked for %s: %i', async (host, status) => {
  await request(app).get('/').set('Host', host).expect(status);
});
