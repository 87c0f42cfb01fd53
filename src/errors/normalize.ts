/** What stays the same of messages and file names from one occurrence to the next. Pure; each pattern is linear in the text. */

/** Characters of a message that are compared. */
const MAX_COMPARED = 300;

const variable: [RegExp, string][] = [
  [/\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}\b/g, '<email>'],
  [/\b(?:https?|wss?|ftp|file|blob):\/\/[^\s'"`)<>]{1,300}/gi, '<url>'],
  [/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi, '<id>'],
  [/\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?/g, '<time>'],
  [/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g, '<address>'],
  [/\b0x[\da-f]+\b/gi, '<id>'],
  [/\b(?=[\da-f]*\d)[\da-f]*[a-f][\da-f]*\b(?<=[\da-f]{6})/gi, '<id>'],
  // Words with letters and digits from a generator of ids; plain hexadecimal needs a digit to be no word.
  [/\b(?=[\da-z_-]*\d)(?=[\da-z_-]*[a-z])[\da-z_-]{8,}\b/gi, '<id>'],
  [/[+-]?\b\d+(?:[.,]\d+)*\b/g, '<number>'],
];

const quoted = /"[^"]{0,200}"|'[^']{0,200}'|`[^`]{0,200}`|“[^”]{0,200}”|«[^»]{0,200}»/g;
const identifier = /^["'`“«][\p{L}_$][\p{L}_$.]*["'`”»]$/u;

/**
 * A message without values: numbers, ids, addresses, times and quoted text.
 * @param keepNames keeps quoted names of code, as in `Cannot read properties of undefined (reading 'total')`
 */
export function normalizeMessage(message: string, { keepNames = false }: { keepNames?: boolean } = {}): string {
  let text = message.slice(0, MAX_COMPARED * 2);
  text = text.replace(quoted, (part) => (keepNames && identifier.test(part) ? part : '<text>'));
  for (const [pattern, name] of variable) text = text.replace(pattern, name);
  return text.replace(/\s+/g, ' ').trim().slice(0, MAX_COMPARED);
}

/** A file's name without origin, query and what its build added: `https://shop.example/v2.1/assets/main-B7x2Kq9f.js?v=3` is `<build>/assets/main.js`. */
export function normalizeFile(file: string): string {
  const steps = file
    .replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*\/?/i, '')
    .replace(/[?#].*$/, '')
    .split('/');
  const last = steps.pop() ?? '';
  return [...steps.map((step) => (isBuild(step) ? '<build>' : step)), withoutHash(last)].join('/');
}

const versions = /^v?\d+(?:\.\d+)+$/;

/** A folder that is named by a build: a version, or an id of letters and digits. */
function isBuild(step: string): boolean {
  return versions.test(step) || isHex(step) || (/^[\w-]{16,}$/.test(step) && /\d/.test(step) && /[A-Za-z]/.test(step));
}

/** Bundlers add eight letters and digits, or hexadecimal ones of any number. */
function withoutHash(name: string): string {
  const short = /^(.+)[.\-_~]([\w-]{8})((?:\.\w{1,8}){1,2})$/.exec(name);
  if (short && /\d|.[A-Z]|_|^[A-Z]+$/.test(short[2] as string)) return `${short[1]}${short[3]}`;
  const long = /^(.+[.\-_~])?([\dA-Za-z]{6,64})((?:\.\w{1,8}){1,2})$/;
  for (const match of [/^()([\dA-Za-z]{6,64})((?:\.\w{1,8}){1,2})$/.exec(name), long.exec(name)]) {
    if (match && isId(match[2] as string)) return `${match[1]?.slice(0, -1) || '<build>'}${match[3]}`;
  }
  return name;
}

function isId(part: string): boolean {
  return isHex(part) || (part.length >= 10 && /\d/.test(part) && /[A-Za-z]/.test(part));
}

function isHex(part: string): boolean {
  return /^[\da-f]{6,64}$/i.test(part) && /\d/.test(part);
}
