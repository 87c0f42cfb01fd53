/** Choice of plain, cumulative or moving-average points. A moving average changes the chart only, not the query. */
import { smallButtonClass } from '#views/kit/Button.tsx';
import { Icon } from '#views/kit/Icon.tsx';
import { Link } from '#views/kit/Link.tsx';
import { optionClass, Popover } from '#views/kit/Popover.tsx';
import { trendsWords } from '#views/words/trends.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import type { Display } from '../display.ts';
import type { AnswerProps } from '../kind-view.ts';

const AVERAGES = [3, 7, 14, 28];

export function ValuesChoice({ insight, hrefOf }: AnswerProps<'trends'>) {
  const own = usePart(trendsWords);
  const { format } = useWords();
  const { cumulative, average, ...others } = insight.display;
  const averages = [...new Set([...AVERAGES, ...(average ? [average] : [])])].sort((a, b) => a - b);
  const averageText = (n: number): string => `${own.average}: ${own.averageOf(format.number(n))}`;
  const { cumulative: asked, ...query } = insight.own;
  // Insights of earlier versions sum up what is drawn.
  const isCumulative = asked === true || cumulative === true;
  const choices: { text: string; display: Display; own?: typeof insight.own; isCurrent: boolean }[] = [
    { text: own.asCounted, display: others, isCurrent: !isCumulative && !average },
    { text: own.cumulative, display: others, own: { ...query, cumulative: true }, isCurrent: isCumulative },
    ...averages.map((each) => ({
      text: averageText(each),
      display: { ...others, average: each },
      isCurrent: !isCumulative && average === each,
    })),
  ];
  return (
    <Popover
      list
      label={own.points}
      triggerClass={smallButtonClass}
      trigger={
        <>
          <span className="visually-hidden">{own.points}: </span>
          {choices.find(({ isCurrent }) => isCurrent)?.text}
          <Icon name="down" small />
        </>
      }
    >
      <ul>
        {choices.map(({ text, display, own: chosen = query, isCurrent }) => (
          <li key={text}>
            <Link
              href={hrefOf({ ...insight, own: chosen, display })}
              className={optionClass(isCurrent)}
              aria-current={isCurrent ? 'true' : undefined}
            >
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </Popover>
  );
}
