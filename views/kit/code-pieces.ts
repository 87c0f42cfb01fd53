/** Splits our own snippets and statements into pieces of one color. Pure. */

export interface CodePiece {
  kind: 'string' | 'keyword' | 'comment' | null;
  text: string;
  /** Where it begins. */
  at: number;
}

/** Comments on separate lines (`//` is in addresses, too), strings, and keywords. For SQL see `sql-tokens.ts`. */
const SCRIPT_TOKENS =
  /(?<comment>^[ \t]*(?:\/\/|#).*$)|(?<string>'[^']*'|"[^"]*")|<\/?[A-Za-z]+|\/?>|\b(?:import|from|const|new|await|export|function|return)\b/gm;

/** @param tokens with the groups `comment` and `string`, and `name` for what has no color */
export function codePieces(code: string, tokens = SCRIPT_TOKENS): CodePiece[] {
  const pieces: CodePiece[] = [];
  let done = 0;
  for (const { 0: text, index: at, groups = {} } of code.matchAll(tokens)) {
    if (groups['name']) continue;
    if (at > done) pieces.push({ kind: null, text: code.slice(done, at), at: done });
    pieces.push({ kind: groups['comment'] ? 'comment' : groups['string'] ? 'string' : 'keyword', text, at });
    done = at + text.length;
  }
  if (done < code.length) pieces.push({ kind: null, text: code.slice(done), at: done });
  return pieces;
}
