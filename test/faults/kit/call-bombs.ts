/** Calls of the screens whose input costs much more to read than to send. */

const HEADERS_BYTES = 60_000;
const BODY_BYTES = 900_000;

export interface CallBomb {
  kind: string;
  method: 'GET' | 'POST';
  path: string;
  body?: string;
}

/** An input of about so many bytes, by what is wrong with it. */
function inputs(bytes: number): Record<string, string> {
  const annotated = (values: string, json = '{"a":null}') => `{"json":${json},"meta":{"values":${values},"v":1}}`;
  const half = Math.floor(bytes / 2);
  const list = (item: string) =>
    `[${Array(Math.floor(bytes / (item.length + 1)))
      .fill(item)
      .join(',')}]`;
  const members = Array.from({ length: Math.floor(bytes / 24) }, (_, at) => `"n${at}":["Date"]`).join(',');
  return {
    'a long path': annotated(`{"${Array(half).fill('a').join('.')}":["class","X"]}`),
    'a text of children': annotated(`{"a":["map","${'a'.repeat(bytes)}"]}`),
    'deep annotations': annotated(`{"a":${'['.repeat(half)}${']'.repeat(half)}}`),
    'many annotations': annotated(`{${members}}`),
    'a list that one index makes long': annotated('{"a.4294967294":["undefined"]}', '{"a":[]}'),
    'equal references': `{"json":{},"meta":{"referentialEqualities":{"a":${list('"b.c"')}},"v":1}}`,
    'a deep value': `{"json":${'['.repeat(half)}${']'.repeat(half)}}`,
    'many values': `{"json":${list('0')}}`,
  };
}

export function callBombs(): CallBomb[] {
  const inAddress = Object.entries(inputs(HEADERS_BYTES / 3)).flatMap(([kind, input]) =>
    ['events.liveStream', 'accounts.link', 'insights.query.overview'].map((procedure): CallBomb => {
      const path = `/api/trpc/${procedure}?input=${encodeURIComponent(input).slice(0, HEADERS_BYTES)}`;
      return { kind, method: 'GET', path };
    }),
  );
  const inBody = Object.entries(inputs(BODY_BYTES)).flatMap(([kind, input]) =>
    ['accounts.teams.join', 'insights.tryFilters'].map(
      (procedure): CallBomb => ({ kind, method: 'POST', path: `/api/trpc/${procedure}`, body: input }),
    ),
  );
  const batch = Array.from({ length: 100 }, () => 'accounts.link').join(',');
  const many = Object.entries(inputs(HEADERS_BYTES / 400)).map(([kind, input]): CallBomb => {
    const all = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [at, JSON.parse(input)]));
    const body = JSON.stringify(all);
    return { kind: `a hundred of: ${kind}`, method: 'POST', path: `/api/trpc/${batch}?batch=1`, body };
  });
  return [...inAddress, ...inBody, ...many];
}
