/** The rows of a series by country, on a map of the world. The table below has those that are not on it. */
import type { PlaceMapProps } from '#views/charts/PlaceMap.tsx';
import { valueText } from '#views/charts/values.ts';
import { Late } from '#views/kit/Late.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { trendsWords } from '#views/words/trends.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from '../Answer.module.css';
import type { PartProps } from './part-props.ts';
import { isSum } from './rows.ts';

const PlaceMap = lazyPart<PlaceMapProps>('map', async () => (await import('#views/areas/map.ts')).PlaceMap);

export function CountryMap({ rows, drawn, insight, dates, onPoint }: PartProps) {
  const own = usePart(trendsWords);
  const { format } = useWords();
  const [first] = drawn;
  const shown = rows.filter(({ series, isFormula }) => series === first?.series && isFormula === first.isFormula);
  const kind = first?.kind ?? 'count';
  const total = shown.reduce((sum, row) => sum + (row.total ?? 0), 0);
  const hasShares = isSum(insight.own, shown);
  const values = new Map(shown.flatMap(({ value, total: own }) => (value && own !== null ? [[value, own]] : [])));
  return (
    <div className={css['map']}>
      <Late fallback={<div className={css['mapRoom']} />}>
        <PlaceMap
          of="country"
          name={own.mapOf(dates)}
          hint={own.mapHint}
          note={own.mapNote}
          values={values}
          empty={own.mapEmpty}
          valueText={(value) => valueText(value, kind, format)}
          readOf={(place, value) =>
            [`${place}: ${valueText(value, kind, format)}`, ...(hasShares ? [format.percent(value / total)] : [])].join(
              ', ',
            )
          }
          onPress={
            onPoint && first && !first.isFormula
              ? (value) => {
                  if (values.has(value)) onPoint({ kind: 'trends', series: first.series, value, interval: null });
                }
              : undefined
          }
        />
      </Late>
    </div>
  );
}
