/** The answer to paths: flows between steps, a list by step where there is no room for them, and all transitions as a table. */
import { useSuspenseQuery } from '@tanstack/react-query';
import type { PathsResult } from '#src/insights/kinds/paths/contract.ts';
import { CutText } from '#views/kit/BarTable.tsx';
import { classNames } from '#views/kit/class-names.ts';
import { State } from '#views/kit/State.tsx';
import { datesText } from '#views/question/range-text.ts';
import { insightWords } from '#views/words/insights.ts';
import { pathsWords } from '#views/words/paths.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import answer from '../Answer.module.css';
import { AnswerTools } from '../AnswerTools.tsx';
import { ChartFoot } from '../ChartFoot.tsx';
import { useCountedGroups } from '../CountedRow.tsx';
import { Headline, Headlines } from '../Headlines.tsx';
import type { AnswerProps } from '../kind-view.ts';
import { eventName } from '../names.ts';
import { PointButton } from '../PointButton.tsx';
import type { Point } from '../points.ts';
import { OutsideTile } from '../tile.tsx';
import { useAnswerOptions } from '../use-answer.ts';
import { type Edge, FLOW_HEIGHT, flowOf, flowWidth } from './flow.ts';
import css from './Paths.module.css';

export function PathsAnswer(props: AnswerProps<'paths'>) {
  const { reference, insight, now } = props;
  const own = usePart(pathsWords);
  const shared = usePart(insightWords);
  const { format } = useWords();
  const options = useAnswerOptions(insight, reference);
  const funnelOf = insight.own.after?.funnel.per;
  const groups = useCountedGroups(funnelOf);
  const { data, dataUpdatedAt } = useSuspenseQuery(options);
  const result = data as PathsResult;
  const { range, paths, starts, edges, other } = result;
  const dates = datesText({ from: range.fromDate, to: range.toDate }, now, format);
  const nameOf = (name: string | null): string => (name === null ? own.more : eventName(name, shared));
  return (
    <>
      <AnswerTools {...props} result={result} charts={[]} updatedAt={dataUpdatedAt} queryKey={options.queryKey} />
      {(edges.length > 0 || starts !== null) && (
        <Headlines label={dates}>
          {starts !== null && (
            <Headline
              label={
                groups === null ? own.atStep[funnelOf === 'visits' ? 'visits' : 'persons'] : own.groupsAtStep(groups)
              }
              value={format.number(starts)}
            />
          )}
          <Headline label={own.paths} value={format.number(paths)} />
        </Headlines>
      )}
      {edges.length === 0 ? (
        <State icon="chart" title={starts === null ? shared.empty : own.noFurther}>
          {starts === null ? shared.emptyText : own.noFurtherText}
        </State>
      ) : (
        <>
          <Diagram edges={edges} name={own.chart(dates)} nameOf={nameOf} onPoint={props.onPoint} />
          <Steps edges={edges} name={own.chart(dates)} nameOf={nameOf} onPoint={props.onPoint} />
        </>
      )}
      <ChartFoot
        result={result}
        running={null}
        notes={other.edges > 0 ? [own.other(format.number(other.edges), format.number(other.count))] : []}
      />
      <OutsideTile>{edges.length > 0 && <Transitions {...props} edges={edges} nameOf={nameOf} />}</OutsideTile>
    </>
  );
}

interface DrawnProps extends Pick<AnswerProps<'paths'>, 'onPoint'> {
  edges: readonly Edge[];
  name: string;
  nameOf(name: string | null): string;
}

/** Wide screens: the list and the table say the same in words. */
function Diagram({ edges, name, nameOf, onPoint }: DrawnProps) {
  const { format } = useWords();
  const { nodes, links, steps } = flowOf(edges);
  return (
    <figure className={css['diagram']} aria-label={name}>
      <svg width={flowWidth(steps)} height={FLOW_HEIGHT} aria-hidden="true">
        {links.map(({ key, path, width, edge }) => (
          // The table has the same numbers for the keyboard.
          // biome-ignore lint/a11y/noStaticElementInteractions: see above
          <path
            key={key}
            className={classNames(css['link'], onPoint && css['pressed'])}
            d={path}
            strokeWidth={width}
            onClick={onPoint && (() => onPoint(pointOf(edge)))}
          >
            <title>{`${nameOf(edge.from)} → ${nameOf(edge.to)}: ${format.number(edge.count)}`}</title>
          </path>
        ))}
        {nodes.map(({ key, name: node, count, x, y, width, height }) => (
          <g key={key}>
            <rect className={css['node']} x={x} y={y} width={width} height={height} />
            <text x={x + width + 6} y={y + Math.min(height / 2, 20)} dy="0.1rem">
              {shortened(nameOf(node))}
            </text>
            <text className={css['count']} x={x + width + 6} y={y + Math.min(height / 2, 20)} dy="1rem">
              {format.number(count)}
            </text>
          </g>
        ))}
      </svg>
    </figure>
  );
}

function pointOf({ step, from, to }: Edge): Point {
  return { kind: 'paths', step, from, to };
}

const MAX_NAME = 24;

function shortened(name: string): string {
  return name.length <= MAX_NAME ? name : `${name.slice(0, 10)}…${name.slice(-12)}`;
}

/** Phones: of each step what follows it, the commonest first. */
function Steps({ edges, name, nameOf, onPoint }: DrawnProps) {
  const own = usePart(pathsWords);
  const { format } = useWords();
  const steps = [...Map.groupBy(edges, ({ step }) => step)].sort(([one], [other]) => one - other);
  return (
    <ol className={css['steps']} aria-label={name}>
      {steps.map(([step, list]) => (
        <li key={step}>
          <h2>{own.step(format.number(step))}</h2>
          <ul>
            {list.map((edge) => (
              <li key={`${edge.from} ${edge.to}`}>
                <span>
                  {nameOf(edge.from)} → {nameOf(edge.to)}
                </span>
                <span className="num">
                  <PointButton value={edge.count} onPress={onPoint && (() => onPoint(pointOf(edge)))}>
                    {format.number(edge.count)}
                  </PointButton>
                </span>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}

type TransitionsProps = AnswerProps<'paths'> & { edges: readonly Edge[]; nameOf(name: string | null): string };

function Transitions({ insight, edges, nameOf, onPoint }: TransitionsProps) {
  const own = usePart(pathsWords);
  const shared = usePart(insightWords);
  const groups = useCountedGroups(insight.own.per);
  const { format } = useWords();
  const number = classNames(answer['number'], 'num');
  return (
    <table className={classNames(answer['table'], css['table'])}>
      <caption className="visually-hidden">{own.mostCommon}</caption>
      <thead>
        <tr>
          <th scope="col">{own.tableFrom}</th>
          <th scope="col">{own.tableTo}</th>
          <th scope="col" className={answer['number']}>
            {own.step('')}
          </th>
          <th scope="col" className={answer['number']}>
            {own.times}
          </th>
          <th scope="col" className={classNames(answer['number'], 'wide-only')}>
            {groups ?? shared.people}
          </th>
          <th scope="col" className={answer['number']}>
            {own.meanTime}
          </th>
        </tr>
      </thead>
      <tbody>
        {edges.map((edge) => (
          <tr key={`${edge.step} ${edge.from} ${edge.to}`}>
            <th scope="row">
              <CutText text={nameOf(edge.from)} />
            </th>
            <td>
              <CutText text={nameOf(edge.to)} />
            </td>
            <td className={number}>{format.number(edge.step)}</td>
            <td className={number}>
              <PointButton value={edge.count} onPress={onPoint && (() => onPoint(pointOf(edge)))}>
                {format.number(edge.count)}
              </PointButton>
            </td>
            <td className={classNames(number, 'wide-only')}>{format.number(edge.people)}</td>
            <td className={number}>{format.duration(edge.meanSeconds)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
