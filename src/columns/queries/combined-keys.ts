/** Events divided by several properties together, or by intervals of numbers: one more column for each chunk, which is kept as what is counted is. */
import type { DecimalSeparator } from '#src/kit/numbers/values.ts';
import { isRead } from '#src/kit/reading/reader.ts';
import { cohortMembers } from '../conditions/cohort-members.ts';
import { personsMask } from '../conditions/conditions.ts';
import { type Breakdown, type KeyPlaces, keyPlacesOf } from '../conditions/key-places.ts';
import { countOnce } from '../count/counting.ts';
import type { CombinedPart } from '../kernels/combine-keys.ts';
import { intsOf } from '../kernels/shared.ts';
import type { Gathered } from '../snapshot/gather.ts';
import type { ColumnBytes } from '../storage/format.ts';
import { COHORT } from '../values.ts';
import type { AnswerParts } from './answer-parts.ts';

type Combined = Extract<Breakdown, { about: 'combined' }>;
type One = Combined['of'][number];

/** Before the name of the column, which tells breakdowns from each other. */
const COMBINED = 'combined ';

/** With the events of chunks that have the column. @throws AppError `invalid` for a cohort that does not exist */
export async function combinedKeysOf(
  parts: AnswerParts,
  own: Parameters<typeof keyPlacesOf>[0],
  { of }: Combined,
  decimal: DecimalSeparator,
): Promise<{ by: KeyPlaces; events: Gathered['events'] }> {
  const [only] = of;
  if (of.length === 1 && only !== undefined && only.about !== 'cohort' && edgesOf(only) === null) {
    return { by: await keyPlacesOf(own, only), events: own.gathered.events };
  }
  const found: KeyPlaces[] = [];
  for (const one of of) found.push(await placesOf(own, one));
  const areReadLater = of.map((one) => edgesOf(one) === null && isReadByRules(own, one));
  const plan = {
    decimal,
    parts: found.map(
      ({ places, texts }, at): CombinedPart => ({
        places,
        texts,
        edges: edgesOf(of[at]),
        isReadLater: areReadLater[at] === true,
      }),
    ),
  };
  const keys = found.map(({ key }) => key);
  const key = keys.includes(null) ? null : JSON.stringify([keys, of.map(edgesOf), decimal]);
  const { events } = own.gathered;
  const columns = await countOnce<ColumnBytes>(
    parts,
    events.map((chunk) => ({ chunk, edges: [] })),
    key && COMBINED + key,
    ({ byteLength }) => byteLength,
    (some) =>
      parts.threads.run({ task: 'combineKeys', plan, chunks: some.map(({ chunk }) => ({ columns: chunk.columns })) }),
  );
  const property = COMBINED + (key ?? '');
  const isPlain = key !== null && !areReadLater.includes(true);
  return {
    by: {
      places: [{ property }],
      texts: [''],
      key,
      ...(isPlain && { property }),
      ...(areReadLater.includes(true) && { read: (text: string) => readText(text, found) }),
    },
    events: events.map((chunk, at) => ({ ...chunk, columns: { ...chunk.columns, [property]: columns[at] } })),
  };
}

function edgesOf(one: One | undefined): readonly number[] | null {
  return one !== undefined && 'edges' in one ? (one.edges ?? null) : null;
}

function isReadByRules({ gathered }: { gathered: Gathered }, one: One | undefined): boolean {
  return one?.about === 'event' && isRead(gathered.reader, one.name);
}

async function placesOf(own: Parameters<typeof keyPlacesOf>[0], one: One): Promise<KeyPlaces> {
  if (one.about !== 'cohort') return keyPlacesOf(own, one);
  const condition = { about: 'person' as const, name: COHORT, operator: 'equals' as const, values: [one.name] };
  const mask = personsMask(await cohortMembers(own, condition, 'breakdown'), own.gathered.mergedInto);
  return { places: [{ column: 'person', values: intsOf(mask) }], texts: ['', one.name], key: null };
}

/** Texts that are lists of one are read by the rules of their property. */
function readText(text: string, found: readonly KeyPlaces[]): string {
  const parts = JSON.parse(text) as (string | [string])[];
  const texts = parts.map((part, at) => (typeof part === 'string' ? part : (found[at]?.read?.(part[0]) ?? part[0])));
  return JSON.stringify(texts);
}
