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
  `null nul nullptr nil none nan undefined void void0 empty blank missing unknown unset notset na notavailable notapplicable nothing nobody noone
   true false infinity invalid invaliddate error object array string number objectobject
   anonymous anonymoususer guest guestuser visitor
   id uid uuid guid userid useruuid visitorid distinctid anonymousid deviceid email emailaddress useremail
   yourid youruserid yourdistinctid useridhere insertuserid currentuserid
   notauthenticated unauthenticated notloggedin notsignedin loggedout signedout
   nulo nenhum nenhuma nada indefinido naodefinido naoinformado vazio desconhecido desconhecida invalido invalida ninguem
   anonimo anonima convidado convidada visitante
   naoautenticado naologado deslogado deslogada naocadastrado semcadastro semlogin semid`.split(/\s+/),
);

/** Zero, minus one and infinity in their usual spellings. */
const NUMBER_FOR_NOTHING = /^(?:[+-]?0+(?:[.,]0+)?|[-−]1(?:[.,]0+)?|[+-]?(?:inf|infinity|∞))$/i;

/** A UUID, bare or written with hyphens, braces or `urn:uuid:`; `x` stands for digits that were never filled in. */
const UUID = /^(?:urn:uuid:)?([{(]?)([\da-fxy]{8}-?(?:[\da-fxy]{4}-?){3}[\da-fxy]{12})[})]?$/i;
/** Nil, max and others of one digit, `xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx`, and nil ones with a version. */
const PLACEHOLDER_UUID = /^(?:(.)\1{31}|x{12}[4x]x{3}[xy]x{15}|0{12}[1-8]0{3}[89ab]0{15})$/i;

/** Placeholders of template engines, anywhere in the id: `{{user.id}}`, `${id}`, `#{id}`, `@{id}`, `<%= id %>`, `{% id %}`, `[[id]]`, `%(id)s`, `*|ID|*`. */
const TEMPLATE_INSIDE =
  /\{\{[^{}]*\}\}|[$#@%]\{[^{}]*\}|<%[^<>]*%>|\{%[^{}]*%\}|\[\[[^[\]]*\]\]|[%$@]\([\p{L}_][\p{L}\d_.]*\)|\*\|[\p{L}\d_.:]+\|\*/u;

/**
 * A single placeholder that is the whole id: `{id}`, `{!id}`, `<user_id>`, `[user id]`, `%USER_ID%`, `__USER_ID__`, `%s`, `%1$s`, `$1`, `:user_id`,
 * `$user_id`, `@Model.Id`.
 */
const TEMPLATE_ALONE =
  /^(?:\{[!$:@]?[\p{L}\d_.\s|-]*\}|<<?[\p{L}\d_.\s|-]*>>?|\[[\p{L}\d_.\s|-]*\]|\([\p{L}\d_.\s|-]*\)|%[\p{L}\d_.]+%|__[\p{L}\d_.]+__|%(?:\d\$)?[-+0 #]*\d*(?:\.\d+)?[sdifuxXoOjJvqp@]|\$\d|@model\.[\w.]+|\/?[:$](?:user|distinct|visitor|anonymous|device|email|id|uid|uuid)\w*)$/iu;
/** `[7]` and `(12)` hold a value, not the name of a field. */
const NUMBER_IN_BRACKETS = /^.\d{2,}.$|^\[\d\]$/;

/** Text of values that are no ids. */
const STRINGIFIED_CODE: readonly RegExp[] = [
  /\[object [^\]]*\]/i,
  /^(?:async )?(?:function\b|(?:\([^)]*\)|[\w$]+)\s*=>)/i,
  /^(?:class \w+[^{]*\{|lambda\b[^:]*:\s|promise\b\s*(?:\{|$)|void\s*\(?0\)?$|&\{)/i,
  /^(?:symbol\(.*\)|objectid\(\W*\)|(?:optional|some|just)\((?:nil|none|nothing|\W*)\))$/i,
  /^<[\w.]+ (?:object|instance|function|at 0x)[^>]*>$|^#<[^>]*>$|^<proc:[^>]*>$/i,
  /^system\.(?:object|string|guid|int\d\d|nullable|collections|threading|func|action)\b/i,
  /^(?:java|javax|kotlin|scala)\.\w+\.[\w.$]+(?:@[\da-f]+)?$|^\[l[\w.]+;@/i,
  // An instance as Java and Kotlin write it: a class, and the hash of an object.
  /^(?:[a-z\d_]+\.)*[A-Z][\w$]*@[\da-f]{5,8}$/,
  // Of sheets, of files by PostgreSQL and MySQL, and of forms.
  /^(?:#(?:n\/a|null!|ref!|value!|name\?|div\/0!)|\\n|n[/.]d\.?)$/i,
];

/** An id made of others by code that did not have them: `user_undefined`, `null-null`, `undefined@shop.example`. */
const MADE_OF_NOTHING =
  /^(?:(?:undefined|null|nan)[\s,;:|/_-]?)+$|^[\w-]+[\s,;:|/_-](?:undefined|\[object object\])$|^(?:id|uid|user|usr|userid|customer|client|account|member|visitor|usuario|cliente|conta)[\s,;:|/_-](?:null|nan|none)$|^(?:undefined|null)@/i;

/** Punctuation, symbols of ASCII, blanks and control characters only. */
const PUNCTUATION_ONLY = /^[\p{P}\p{Z}\p{C}$+<=>^`|~]+$/u;

/**
 * True when the id may not be identified or merged: blank, a word for nothing, an unrendered template, a stringified code value, an
 * extreme number or uuid, or punctuation. Quotes around it, letter case and accents make no difference.
 */
export function isIllegalId(distinctId: string): boolean {
  if (distinctId === COOKIELESS) return true;
  const bare = unquoted(unescaped(distinctId.normalize('NFKC')).replaceAll(/^[\s\p{C}]+|[\s\p{C}]+$/gu, ''));
  if (bare === '' || PUNCTUATION_ONLY.test(bare) || NUMBER_FOR_NOTHING.test(bare)) return true;
  const uuid = UUID.exec(bare)?.[2];
  if (uuid !== undefined) return PLACEHOLDER_UUID.test(uuid.replaceAll('-', ''));
  if (TEMPLATE_INSIDE.test(bare) || (TEMPLATE_ALONE.test(bare) && !NUMBER_IN_BRACKETS.test(bare))) return true;
  if (MADE_OF_NOTHING.test(bare) || STRINGIFIED_CODE.some((pattern) => pattern.test(bare))) return true;
  return bare.length <= MAX_WORD && WORDS_FOR_NOTHING.has(wordsOf(bare));
}

/** Without the escapes of addresses and HTML, which are written around placeholders: `%7B%7Bid%7D%7D`, `&lt;id&gt;`. */
function unescaped(text: string): string {
  if (!/%[57][bd]|%3[ce]|&(?:lt|gt|#)/i.test(text)) return text;
  return text
    .replaceAll(/%(?:5b|5d|7b|7d|3c|3e|20)/gi, (code) => decodeURIComponent(code))
    .replaceAll(/&(?:lt|#60|#x3c);/gi, '<')
    .replaceAll(/&(?:gt|#62|#x3e);/gi, '>');
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
