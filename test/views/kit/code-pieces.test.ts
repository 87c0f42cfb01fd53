/** Colors of code: keywords only where they are the language's own. */
import { codePieces } from '#views/kit/code-pieces.ts';
import { SQL_TOKENS } from '#views/kit/sql-tokens.ts';

/** The pieces with a color. */
function colored(code: string, tokens?: RegExp): string[] {
  const pieces = codePieces(code, tokens);
  expect(pieces.map(({ text }) => text).join('')).toBe(code);
  for (const { at, text } of pieces) expect(code.startsWith(text, at)).toBe(true);
  return pieces.flatMap(({ kind, text }) => (kind === null ? [] : `${kind}: ${text}`));
}

it('leaves words in comments, strings and names of SQL alone', () => {
  const code = `-- People with an event in the range, and not "before" it's over
select 'where is it''s from', "order by", count(*) -- from here on
from events`;
  expect(colored(code, SQL_TOKENS)).toEqual([
    `comment: -- People with an event in the range, and not "before" it's over`,
    'keyword: select',
    `string: 'where is it'`,
    `string: 's from'`,
    'comment: -- from here on',
    'keyword: from',
  ]);
});

it('leaves words in comments and strings of scripts alone, and does not take addresses for comments', () => {
  const code = `// Import it from here: don't return
import luneta from 'luneta/new';
  # export this
fetch(https://a.example/function);`;
  expect(colored(code)).toEqual([
    "comment: // Import it from here: don't return",
    'keyword: import',
    'keyword: from',
    "string: 'luneta/new'",
    'comment:   # export this',
    'keyword: function',
  ]);
});
