/** Splits our own snippets and statements into pieces of one color. Pure. */

export type CodeLanguage = 'sql' | 'script';

export interface CodePiece {
  kind: 'string' | 'keyword' | 'comment' | null;
  text: string;
  /** Where it begins. */
  at: number;
}

/** Comments, strings (and in SQL names in quotes), and what is the language's own. A comment of a script has its line to itself: `//` is in addresses, too. */
const TOKENS: Record<CodeLanguage, RegExp> = {
  script:
    /(?<comment>^[ \t]*(?:\/\/|#).*$)|(?<string>'[^']*'|"[^"]*")|<\/?[A-Za-z]+|\/?>|\b(?:import|from|const|new|await|export|function|return)\b/gm,
  sql: /(?<comment>--.*$)|(?<string>'[^']*')|(?<name>"[^"]*")|\b(?:with|select|distinct|from|(?:left |cross )?join|lateral|on|where|and|or|not|in|is|as|between|exists|group by|having|over|partition by|order by|limit|union all|union|filter|within group|case|when|then|else|end)\b/gm,
};

export function codePieces(code: string, language: CodeLanguage): CodePiece[] {
  const pieces: CodePiece[] = [];
  let done = 0;
  for (const match of code.matchAll(TOKENS[language])) {
    const { comment, string, name } = match.groups as Partial<Record<'comment' | 'string' | 'name', string>>;
    if (name !== undefined) continue;
    if (match.index > done) pieces.push({ kind: null, text: code.slice(done, match.index), at: done });
    const kind = comment !== undefined ? 'comment' : string !== undefined ? 'string' : 'keyword';
    pieces.push({ kind, text: match[0], at: match.index });
    done = match.index + match[0].length;
  }
  if (done < code.length) pieces.push({ kind: null, text: code.slice(done), at: done });
  return pieces;
}
