/** Comments, strings, names in quotes and keywords of SQL, for `CodeBlock`: only screens with statements load them. */
export const SQL_TOKENS =
  /(?<comment>--.*$)|(?<string>'[^']*')|(?<name>"[^"]*")|\b(?:with|select|distinct|from|(?:left |cross )?join|lateral|on|where|and|or|not|in|is|as|between|exists|group by|having|over|partition by|order by|limit|union all|union|filter|within group|case|when|then|else|end)\b/gm;
