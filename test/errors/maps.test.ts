/** Source maps: frames of built code as the source code has them, and maps that mean harm. */
import { readExceptions } from '#src/errors/exception.ts';
import { createMapReader } from '#src/errors/maps/reader.ts';
import { readFrames } from '#src/errors/maps/source-maps.ts';
import { openMap, tracePositions } from '#src/errors/maps/trace.ts';
import { group, measure } from './assigning.ts';
import { buildCorpus } from './corpus.ts';

it('gives each cause one issue over 20 minified builds', async () => {
  const builds = await Promise.all(Array.from({ length: 20 }, (_, number) => buildCorpus(number, true, 200, 1)));
  const resolved = builds.flatMap(({ errors, maps }) => {
    const opened = new Map([...maps].map(([file, text]) => [file, openMap(text)]));
    return errors.map((error) => ({
      ...error,
      exceptions: readExceptions(error.properties).map((exception) => {
        const map = opened.get(exception.frames.at(-1)?.file ?? '');
        if (map === undefined) throw new Error('a script without a map');
        const positions = exception.frames.map(({ line, column }) => ({ line: line ?? 0, column: column ?? 0 }));
        return { ...exception, frames: readFrames(exception.frames, tracePositions(map, positions)) };
      }),
    }));
  });
  const [first] = resolved;
  expect(first?.exceptions[0]?.frames.at(-1)).toMatchObject({
    file: expect.stringMatching(/^src\/\w+\.ts$/),
    function: expect.stringMatching(/^[a-z]\w{6,}$/),
    source: { line: expect.stringContaining('throw new') },
    built: { file: expect.stringContaining('https://shop.example/assets/') },
  });
  const { precision, issuesPerCause } = measure(group(resolved));
  expect([precision, issuesPerCause]).toEqual([1, 1]);
});

describe('maps that mean harm', () => {
  const reader = createMapReader();
  afterAll(() => reader.stop());
  const map = (over: object) =>
    Buffer.from(JSON.stringify({ version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA', ...over }));
  const nested = (depth: number): object =>
    depth === 0
      ? { version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA' }
      : { version: 3, sections: [{ offset: { line: 0, column: 0 }, map: nested(depth - 1) }] };

  it.each<[string, Buffer, object | RegExp]>([
    [
      'names files of the server',
      map({ sources: ['file:///etc/passwd', 'http://169.254.169.254/'], sourceRoot: 'file:///' }),
      { sources: 2, withText: 0 },
    ],
    ['resolves nothing', map({ sources: [], mappings: '' }), { hasMappings: false }],
    ['is of sections', Buffer.from(JSON.stringify(nested(3))), { sources: 1, hasMappings: true }],
    [
      'is nested without end',
      Buffer.from('{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":'.repeat(100_000)),
      /./,
    ],
    ['is no map', Buffer.from('<html>'), /./],
    ['is of another version', map({ version: 2 }), /version 3/],
    ['has mappings that are none', map({ mappings: '!'.repeat(1_000) }), {}],
    ['has columns beyond all numbers', map({ mappings: 'ggggggggggggggggggggggggggggB' }), {}],
  ])('%s', async (_, text, expected) => {
    const result = reader.run({ kind: 'inspect', map: text });
    if (expected instanceof RegExp) await expect(result).rejects.toThrow(expected);
    else expect(await result).toMatchObject(expected);
  });

  it('are given up when they take too long, and the next one is read', async () => {
    const hasty = createMapReader({ timeoutMs: 1 });
    await expect(hasty.run({ kind: 'inspect', map: map({ mappings: 'AAAA,'.repeat(2_000_000) }) })).rejects.toThrow(
      'too long',
    );
    await hasty.stop();
    expect(
      await reader.run({ kind: 'inspect', map: map({ debugId: '85314830-023f-4cf1-a267-535f4e37bb17' }) }),
    ).toMatchObject({
      debugId: '85314830-023f-4cf1-a267-535f4e37bb17',
    });
  });
});
