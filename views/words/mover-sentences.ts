/** What changed in up to three sentences: the number, and what changed the most for its size. Also for reports by email. Pure. */
import type { MoverRow, Movers } from '#src/insights/kinds/movers/contract.ts';
import type { MoverDimension } from '#src/insights/kinds/movers/values.ts';
import type { Words } from './en.ts';
import { formatOf } from './format.ts';
import { moverWords } from './movers.ts';
import { tableWords } from './tables.ts';
import { valueText } from './value-text.ts';

type Lead = MoverRow & { dimension: MoverDimension };

/** A value stands out when it changed by so much of the whole change more or less than its size lets expect. */
const LEAST_EXCESS = 0.1;
/** Beyond it a row is more than the whole, as others went the other way. */
const MAX_SHARE = 1.5;

/** @param year now: dates of others are written with theirs */
export function moverSentences(movers: Movers, words: Words, year: number): string[] {
  const own = moverWords[words.language];
  const { whole, comparison } = movers;
  if (whole === null || comparison === null) return [];
  const [first, second] = leadsOf(movers);
  const texts = textsOf(movers, words);
  const than = formatOf(words).range(comparison.fromDate, comparison.toDate, year);
  return [
    `${headline(movers, words, than)}${chanceText(whole, own)}`,
    ...(first === undefined ? [own.alike] : [texts.lead(first, true)]),
    ...(second === undefined ? [] : [texts.lead(second, false)]),
  ];
}

/** A change with its sign, in the unit of the number. */
export function moverTexts(movers: Pick<Movers, 'metric' | 'currency'>, words: Words) {
  const format = formatOf(words);
  const number = (value: number) =>
    movers.metric === 'revenue'
      ? format.money(value, movers.currency ?? '', Math.abs(value) >= 1000)
      : format.number(value);
  const change = (value: number) => (value > 0 ? `+${number(value)}` : number(value));
  return { number, change };
}

function headline(movers: Movers, words: Words, than: string): string {
  const own = moverWords[words.language];
  const { metric, goal } = movers;
  const { total, change, relative } = movers.whole as NonNullable<Movers['whole']>;
  const { number } = moverTexts(movers, words);
  const name =
    goal === null || metric === 'visitors'
      ? own.metrics[metric]
      : metric === 'revenue'
        ? own.revenueOf(goal.name)
        : own.conversionsOf(goal.name);
  if (change === 0) return own.stayed(name, number(total), than);
  const by = relative === null ? number(Math.abs(change)) : formatOf(words).percent(Math.abs(relative));
  return change > 0 ? own.rose(name, by, number(total), than) : own.fell(name, by, number(total), than);
}

function chanceText({ change, isSignificant }: NonNullable<Movers['whole']>, own: (typeof moverWords)['en']): string {
  if (change === 0) return '.';
  if (isSignificant === null) return own.unknownChance;
  return isSignificant ? own.beyondChance : own.withinChance;
}

function textsOf(movers: Movers, words: Words) {
  const own = moverWords[words.language];
  const format = formatOf(words);
  const reading = { own: tableWords[words.language], format, locale: words.writing.locale };
  const { change } = moverTexts(movers, words);
  return {
    lead(row: Lead, isFirst: boolean): string {
      const write = row.share !== null && row.share < 0 ? own.against : isFirst ? own.first : own.second;
      const name = valueText(row.dimension, row.value, reading);
      // Of a small change that large ones add up to, shares say nothing.
      const isPart = row.share !== null && row.share > 0 && row.share <= MAX_SHARE;
      const share = isPart ? own.shareOf(format.percent(row.share ?? 0)) : '';
      return `${write(own.by[row.dimension], name, change(row.change))}${share}.`;
    },
  };
}

/** The two dimensions with the value that stands out the most. */
function leadsOf({ whole, dimensions }: Movers): Lead[] {
  const least = LEAST_EXCESS * Math.abs(whole?.change ?? 0);
  return dimensions
    .flatMap(({ dimension, rows }) => {
      const stands = rows
        .filter(({ excess, change }) => change !== 0 && Math.abs(excess) > least)
        .toSorted((one, other) => Math.abs(other.excess) - Math.abs(one.excess))[0];
      return stands === undefined ? [] : [{ ...stands, dimension }];
    })
    .toSorted((one, other) => Math.abs(other.excess) - Math.abs(one.excess))
    .slice(0, 2);
}
