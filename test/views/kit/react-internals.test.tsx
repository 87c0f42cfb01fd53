/** Fails when React is another than what we rely on: see views/kit/react-internals.ts. */
import { readFileSync } from 'node:fs';
import { version } from 'react';
import { version as domVersion, renderToString } from 'react-dom/server';
import { holdEarlyPresses } from '#views/kit/early-press.ts';
import { Late } from '#views/kit/Late.tsx';
import { PART_BEGINS, TAKEN_OVER, TESTED_VERSION } from '#views/kit/react-internals.ts';

it('is React as it was looked at', () => {
  expect([version, domVersion]).toEqual([TESTED_VERSION, TESTED_VERSION]);
});

it.each(['development', 'production'])('React marks what it has taken over, in %s', (kind) => {
  const text = readFileSync(`node_modules/react-dom/cjs/react-dom-client.${kind}.js`, 'utf8');
  expect(text).toContain(`"${TAKEN_OVER}"`);
  expect(holdEarlyPresses).toContain(TAKEN_OVER);
});

it('the server writes a late part as one that is taken over by itself', () => {
  const html = renderToString(
    <Late>
      <p>late</p>
    </Late>,
  );
  expect(html).toBe(`${PART_BEGINS}<p>late</p><!--/$-->`);
});
