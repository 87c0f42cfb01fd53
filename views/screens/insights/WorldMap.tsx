/** Visits by country or by state, drawn. A row of the table can do what a place here can: what has no shape is there as well. */

import type { PlaceKind, PlaceMapProps } from '#views/charts/PlaceMap.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { useKnown } from '#views/known.ts';
import { useNavigate } from '#views/navigation.tsx';
import { breakdownInput } from '#views/question/inputs.ts';
import type { Question } from '#views/question/question.ts';
import { filterOf } from '#views/question/use-row-lead.ts';
import { useTrpc } from '#views/trpc.ts';
import { mapWords } from '#views/words/map.ts';
import { usePart, useWords } from '#views/words/words.tsx';

const PlaceMap = lazyPart<PlaceMapProps>('map', async () => (await import('#views/areas/map.ts')).PlaceMap);

export type MappedDimension = PlaceKind;

export interface WorldMapProps {
  of: MappedDimension;
  reference: string;
  question: Question;
  path: string;
}

/** More than there are countries; regions beyond are those with the fewest visits. */
const ALL_PLACES = 300;

export function WorldMap({ of, reference, question, path }: WorldMapProps) {
  const { format } = useWords();
  const own = usePart(mapWords)[of];
  const { navigate } = useNavigate();
  const trpc = useTrpc();
  const input = breakdownInput(reference, question, of, ALL_PLACES);
  const { data } = useKnown({
    ...trpc.insights.query.breakdown.queryOptions(input),
    placeholderData: (before) => before,
  });
  const rows = data?.rows ?? [];
  const texts = new Map(rows.map(([value]) => [codeIn(of, value), value]));
  const open = (code: string) => {
    // Of a region that nobody came from no more than the code is known.
    const value = texts.get(code) ?? (of === 'country' ? code : undefined);
    const filter = value === undefined ? undefined : filterOf({ dimension: of }, question, path, value);
    if (filter) navigate(filter.href);
  };
  return (
    <PlaceMap
      of={of}
      name={own.name}
      hint={own.explore}
      note={own.what}
      values={data === undefined ? null : new Map(rows.map(([value, , count]) => [codeIn(of, value), count]))}
      empty={data?.rows.length === 0 ? own.none : own.noneDrawn}
      valueText={format.number}
      readOf={(place, count) =>
        count === 0
          ? own.nothing(place)
          : own.visits(place, count, format.number(count), format.percent(count / (data?.count ?? count)))
      }
      onPress={open}
    />
  );
}

/** The code of a value of the table. */
function codeIn(of: PlaceKind, value: string): string {
  return of === 'country' ? value : value.slice(-5);
}
