/** Paths as a drawing. Pure. */
import type { PathsResult } from '#src/insights/kinds/paths/contract.ts';
import { eventName } from '#views/insights/names.ts';
import { insightWords } from '#views/words/insights.ts';
import { pathsWords } from '#views/words/paths.ts';
import { drawFlows } from './flows.ts';
import { palettes } from './palette.ts';
import { type Body, emptyBody, type Reader } from './reader.ts';

export function drawPaths({ edges, other }: PathsResult, reader: Reader): Body {
  const { words, format } = reader;
  const own = pathsWords[words.language];
  const shared = insightWords[words.language];
  if (edges.length === 0) return emptyBody(reader);
  const nameOf = (name: string | null): string => (name === null ? own.more : eventName(name, shared));
  return {
    drawn: drawFlows(edges, { nameOf, numberText: format.number }, palettes[reader.theme]),
    notes: other.edges > 0 ? [own.other(format.number(other.edges), format.number(other.count))] : [],
  };
}
