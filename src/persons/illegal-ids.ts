/**
 * Distinct ids that identify no person, because of a bug in the client's code. Merging with one would merge all
 * visitors into one person, so they are illegal for merges. Plain events with them are stored as usual.
 *
 * They are matched by class, since every language and template engine has its own form of "no value".
 */

/** The distinct id that posthog-js sends in cookieless mode. */
const COOKIELESS = '$posthog_cookieless';

/** Words for "no value" and names of the field itself; letters and digits only, see `wordsOf`. */
const WORDS_FOR_NOTHING = new Set(
  `null nil none nan undefined void empty blank missing unknown unset notset na notavailable notapplicable nothing nobody noone
   true false infinity
   anonymous anonymoususer guest guestuser
   id uid uuid guid userid useruuid visitorid distinctid anonymousid deviceid email emailaddress useremail
   notauthenticated unauthenticated notloggedin notsignedin loggedout signedout
   nulo nenhum nenhuma nada indefinido vazio desconhecido desconhecida ninguem anonimo anonima convidado convidada
   naoautenticado naologado semid`.split(/\s+/),
);

/** Zero, minus one and infinity in their usual spellings. */
const NUMBER_FOR_NOTHING = /^(?:[+-]?0+(?:[.,]0+)?|-1(?:[.,]0+)?|[+-]?(?:inf|infinity|∞))$/i;

/** Nil (zeros) and max (all f), with or without hyphens, braces or `urn:uuid:`. */
const EXTREME_UUID = /^(?:urn:uuid:)?[{(]?(?:(?:0{8}-?(?:0{4}-?){3}0{12})|(?:f{8}-?(?:f{4}-?){3}f{12}))[})]?$/i;

/** Placeholders of template engines, anywhere in the id: `{{user.id}}`, `${id}`, `#{id}`, `@{id}`, `<%= id %>`, `{% id %}`, `[[id]]`. */
const TEMPLATE_INSIDE = /\{\{[^{}]*\}\}|[$#@]\{[^{}]*\}|<%[^<>]*%>|\{%[^{}]*%\}|\[\[[^[\]]*\]\]/;

/** A single placeholder that is the whole id: `{id}`, `<user_id>`, `[user id]`, `%USER_ID%`, `__USER_ID__`, `%s`, `:user_id`, `$user_id`. */
const TEMPLATE_ALONE =
  /^(?:\{[\p{L}\d_.\s|-]*\}|<[\p{L}\d_.\s|-]*>|\[[\p{L}\d_.\s|-]*\]|\([\p{L}\d_.\s|-]*\)|%[\p{L}\d_.]+%|__[\p{L}\d_.]+__|%[-+0 #]*\d*(?:\.\d+)?[sdifuxXoOjJvqp@]|[:$](?:user|distinct|visitor|anonymous|device|email|id|uid|uuid)\w*)$/iu;

/** Text of values that are no ids, such as `[object Object]`. */
const STRINGIFIED_CODE =
  /^(?:\[object [^\]]*\]|(?:async )?function\b.*|(?:async )?\([^)]*\)\s*=>.*|class \w+.*|symbol\(.*\)|promise\b\s*\{?.*|<[\w.]+ (?:object|instance|function|at 0x)[^>]*>|#<[^>]*>|[\w.$]+@[\da-f]{6,8}|system\.\w[\w.]*|(?:java|javax|kotlin|scala)\.[\w.$]+(?:@[\da-f]+)?)$/i;

/** Punctuation, symbols of ASCII, blanks and control characters only. */
const PUNCTUATION_ONLY = /^[\p{P}\p{Z}\p{C}$+<=>^`|~]+$/u;

/**
 * True when the id may not be identified or merged: blank, a word for nothing, an unrendered template, a stringified code value, an
 * extreme number or uuid, or punctuation. Quotes around it, letter case and accents make no difference.
 */
export function isIllegalId(distinctId: string): boolean {
  if (distinctId === COOKIELESS) return true;
  const bare = unquoted(distinctId.normalize('NFKC').trim());
  if (bare === '' || PUNCTUATION_ONLY.test(bare)) return true;
  if (NUMBER_FOR_NOTHING.test(bare) || EXTREME_UUID.test(bare)) return true;
  if (TEMPLATE_INSIDE.test(bare) || TEMPLATE_ALONE.test(bare) || STRINGIFIED_CODE.test(bare)) return true;
  return bare.length <= MAX_WORD && WORDS_FOR_NOTHING.has(wordsOf(bare));
}

const MAX_WORD = 40;

/** Without quotes, however many layers of JSON wrote them. */
function unquoted(text: string): string {
  let bare = text;
  for (let layer = 0; layer < 4; layer++) {
    const inner = jsonText(bare) ?? /^["'`“”‘’«»]([\s\S]*)["'`“”‘’«»]$/.exec(bare)?.[1];
    if (inner === undefined) return bare;
    bare = inner.trim();
  }
  return bare;
}

function jsonText(text: string): string | undefined {
  if (!text.startsWith('"')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Letters and digits in lower case without accents: `N/A`, `not_set`, `(not set)` and `não-autenticado` become one word each. */
function wordsOf(text: string): string {
  // An address or a path with such a word in it is an id: "guest@shop.example", "user/7".
  if (/[@:]/.test(text)) return text;
  return text
    .normalize('NFD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}
