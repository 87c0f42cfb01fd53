import { renderToString } from 'react-dom/server';
import { CallError, type FailureCode } from '#views/call-error.ts';
import { FailedState } from '#views/kit/State.tsx';
import { en } from '#views/words/en.ts';
import { WordsProvider } from '#views/words/words.tsx';

function shown(appCode: FailureCode): string {
  const error = new CallError('', { appCode });
  return renderToString(
    <WordsProvider words={en}>
      <FailedState error={error} retry={() => {}} />
    </WordsProvider>,
  );
}

describe('a part that failed', () => {
  it.each([
    ['timeout', true],
    ['unavailable', true],
    ['network', true],
    ['conflict', true],
    ['too_large', true],
    // The same question would be answered the same.
    ['invalid', false],
    ['forbidden', false],
  ] as const)('%s: can be tried again: %s', (code, can) => {
    const html = shown(code);
    expect(html).toContain(en.errors.codes[code]);
    expect(html.includes(en.errors.retry)).toBe(can);
  });
});
