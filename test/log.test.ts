import { DatabaseError } from 'pg';
import { createLog } from '#src/kit/log.ts';

it('keeps secrets and the values that PostgreSQL refused out of the log', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line) });
  const error = new DatabaseError('duplicate key', 1, 'error');
  error.detail = 'Key (email)=(ana@exemplo.example) already exists.';
  error.where = 'COPY users, line 1: "ana@exemplo.example"';
  log.error({ err: error, user: { password: 'hunter2' }, req: { headers: { cookie: 'luneta=abc' } } }, 'failed');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('duplicate key');
  expect(lines[0]).not.toMatch(/ana@exemplo|hunter2|luneta=abc/);
});
