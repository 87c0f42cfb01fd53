/** The query of trends: its series, and by what they are broken down. */
import { groupSubject, isGroupSubject } from '#src/columns/values.ts';
import { MAX_SERIES, type TrendSeries, takesGroups } from '#src/insights/kinds/trends/contract.ts';
import { useGroupTypes } from '#views/frame/group-types.ts';
import { Icon } from '#views/kit/Icon.tsx';
import { Select } from '#views/kit/Select.tsx';
import { countedGroupWords } from '#views/words/counted-groups.ts';
import { insightWords } from '#views/words/insights.ts';
import { trendsWords } from '#views/words/trends.ts';
import { usePart } from '#views/words/words.tsx';
import { EventsRow, moved } from '../EventsRow.tsx';
import type { CardsProps } from '../kind-view.ts';
import { QueryPart } from '../OptionRow.tsx';
import { PropertyPicker } from '../PropertyPicker.tsx';
import css from '../Query.module.css';
import { useMeasuredGroups } from '../use-group-measure.ts';
import { BreakdownsPart } from './BreakdownsPart.tsx';
import { FormulasPart } from './FormulasPart.tsx';
import { placeAfterMove, shown, withSeries } from './formula-series.ts';
import { counts, keyOf, measureOf, perPerson, statistics, withMeasure } from './measures.ts';

type Series = TrendSeries;

export function TrendsCards({ project, goals, insight, onChange }: CardsProps<'trends'>) {
  const own = usePart(trendsWords);
  const shared = usePart(insightWords);
  const { own: asked, question } = insight;
  const { series } = asked;
  const hasFormulas = (asked.formulas ?? []).length > 0;
  const set = (next: readonly Series[]): void => onChange({ ...asked, series: [...next] });
  const remove = (index: number): void => {
    const placeOf = (at: number): number | null => (at === index ? null : at > index ? at - 1 : at);
    onChange(withSeries(asked, series.toSpliced(index, 1), placeOf));
  };
  return (
    <>
      <QueryPart title={own.series}>
        <ul className={css['rows']}>
          {series.map((each, index) => {
            const letter = shared.letters[index] ?? '';
            const name = own.seriesNamed(letter);
            const replace = (next: Series): void => set(series.map((other, at) => (at === index ? next : other)));
            return (
              <EventsRow
                // biome-ignore lint/suspicious/noArrayIndexKey: series are their places
                key={index}
                project={project}
                question={question}
                goals={goals}
                sign={letter}
                name={name}
                events={each.event}
                onChange={(event) => replace({ ...each, event })}
                place={{
                  index,
                  count: series.length,
                  onMove: (from, to) =>
                    onChange(withSeries(asked, moved(series, from, to), (at) => placeAfterMove(at, from, to))),
                  onRemove: series.length > 1 ? () => remove(index) : undefined,
                  onDuplicate: series.length < MAX_SERIES ? () => set([...series, each]) : undefined,
                }}
              >
                <Measure project={project} name={name} series={each} onChange={replace} />
                {hasFormulas && (
                  <label className={css['measure']}>
                    <input
                      type="checkbox"
                      checked={each.hidden !== true}
                      onChange={({ target }) => replace(target.checked ? shown(each) : { ...each, hidden: true })}
                    />
                    {own.showSeries}
                  </label>
                )}
              </EventsRow>
            );
          })}
        </ul>
        {series.length < MAX_SERIES && (
          <button
            type="button"
            className={css['add']}
            onClick={() => set([...series, { event: { event: null }, measure: 'events' }])}
          >
            <Icon name="plus" />
            {own.add}
          </button>
        )}
      </QueryPart>
      <FormulasPart own={asked} onChange={onChange} />
      <BreakdownsPart project={project} range={question.range} own={asked} onChange={onChange} />
    </>
  );
}

interface MeasureProps {
  project: string;
  name: string;
  series: Series;
  onChange(series: Series): void;
}

function Measure({ project, name, series, onChange }: MeasureProps) {
  const own = usePart(trendsWords);
  const { measure } = series;
  const property = typeof measure === 'object' && 'property' in measure ? measure.property : null;
  const groupWords = usePart(countedGroupWords);
  const { unique, plural } = useMeasuredGroups();
  const known = useGroupTypes().flatMap(({ type }) => groupSubject(type) ?? []);
  const subjects = isGroupSubject(measure) && !known.includes(measure) ? [...known, measure] : known;
  const counted = isGroupSubject(series.per) ? series.per : null;
  const countable = counted !== null && !known.includes(counted) ? [...known, counted] : known;
  return (
    <>
      <span className={css['measure']}>
        <Select
          className={css['select']}
          aria-label={own.measure(name)}
          value={keyOf(measure)}
          onChange={({ target }) => onChange(withMeasure(series, measureOf(target.value, property ?? '$value')))}
        >
          {counts.map((each) => (
            <option key={each} value={each}>
              {own.measures[each]}
            </option>
          ))}
          {subjects.length > 0 && (
            <optgroup label={groupWords.groups}>
              {subjects.map((each) => (
                <option key={each} value={each}>
                  {unique(each)}
                </option>
              ))}
            </optgroup>
          )}
          <optgroup label={own.perPerson}>
            {perPerson.map((each) => (
              <option key={each} value={`person ${each}`}>
                {own.perPersonOf(own.statistics[each])}
              </option>
            ))}
          </optgroup>
          <optgroup label={own.property}>
            {statistics.map((each) => (
              <option key={each} value={`property ${each}`}>
                {own.property}: {own.statistics[each]}
              </option>
            ))}
          </optgroup>
        </Select>
      </span>
      {takesGroups(measure) && countable.length > 0 && (
        <span className={css['measure']}>
          <Select
            className={css['select']}
            aria-label={own.counted(name)}
            value={counted ?? ''}
            onChange={({ target }) => {
              const { per: _, ...others } = series;
              onChange(isGroupSubject(target.value) ? { ...others, per: target.value } : others);
            }}
          >
            <option value="">{groupWords.people}</option>
            {countable.map((each) => (
              <option key={each} value={each}>
                {plural(each)}
              </option>
            ))}
          </Select>
        </span>
      )}
      {property !== null && (
        <PropertyPicker
          project={project}
          label={own.ofProperty(name)}
          chosen={{ about: 'event', name: property }}
          onlyEvents
          onChoose={(chosen) => {
            if (chosen?.about === 'event' && typeof measure === 'object' && 'property' in measure)
              onChange({ ...series, measure: { ...measure, property: chosen.name } });
          }}
        />
      )}
    </>
  );
}
