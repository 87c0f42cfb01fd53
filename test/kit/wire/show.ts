/** What a recording holds, for people: `node_modules/.bin/node test/kit/wire/show.ts <name …>`. Shares no code with the collector. */
import { gunzipSync } from 'node:zlib';
import LZString from 'lz-string';
import { bodyOf, type FixtureRequest, fixtureNames, readRecording } from './fixture.ts';

/** The JSON text in a request, by the crudest means. */
export function readable(request: FixtureRequest): string {
  const bytes = bodyOf(request);
  if (bytes.length === 0) return new URLSearchParams(request.path.split('?')[1]).get('data') ?? '';
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return gunzipSync(bytes).toString();
  const text = bytes.toString();
  const form = new URLSearchParams(text);
  const data = form.get('data');
  if (data === null) return text;
  if (form.get('compression') === 'lz64') return LZString.decompressFromBase64(data.replaceAll(' ', '+')) ?? '';
  return data.startsWith('{') ? data : Buffer.from(data, 'base64').toString();
}

if (import.meta.main) {
  const wanted = process.argv.slice(2);
  for (const name of fixtureNames().filter((each) => wanted.some((start) => each.startsWith(start)))) {
    const { head, requests } = readRecording(name);
    console.log(`\n=== ${name}\n${JSON.stringify(head)}`);
    for (const request of requests) {
      console.log(
        `--- ${request.at} ${request.method} ${request.path} ${JSON.stringify(request.headers)}\n${readable(request)}`,
      );
    }
  }
}
