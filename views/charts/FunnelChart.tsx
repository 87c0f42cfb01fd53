/** Steps of a funnel as bars, each within the outline of the step before. On a phone the bars lie. */
import { classNames } from '#views/kit/class-names.ts';
import { useWords } from '#views/words/words.tsx';
import css from './FunnelChart.module.css';
import { percent } from './LineChart.tsx';

export interface FunnelStep {
  name: string;
  count: number;
  /** Of the step that it follows. */
  before: number;
  /** It need not be done. */
  isOptional: boolean;
  /** Name of all people or visits of the first step. */
  first: string;
  /** Below the bar. */
  notes: readonly string[];
}

export interface FunnelChartProps {
  /** For readers. */
  name: string;
  steps: readonly FunnelStep[];
  droppedText(count: number, isOptional: boolean): string;
  onPoint?: ((step: number, droppedOff: boolean) => void) | undefined;
}

export function FunnelChart({ name, steps, droppedText, onPoint }: FunnelChartProps) {
  const { format } = useWords();
  const largest = Math.max(1, ...steps.map(({ count }) => count));
  return (
    <ol className={css['funnel']} aria-label={name}>
      {steps.map((step, index) => {
        const { before, isOptional } = step;
        const dropped = before - step.count;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are their places
          <li key={index} className={css['step']}>
            <p className={css['head']}>
              <span className={classNames(css['name'], 'clip')}>
                <span className="dim">{format.number(index + 1)}</span> {step.name}
              </span>
              <b className="num">{format.number(step.count)}</b>
            </p>
            <Bar
              count={step.count / largest}
              before={before / largest}
              {...(onPoint && { onCount: () => onPoint(index, false), onDropped: () => onPoint(index, true) })}
            />
            <p className={css['notes']}>
              {dropped > 0 && (
                <Dropped text={droppedText(dropped, isOptional)} onPress={onPoint && (() => onPoint(index, true))} />
              )}
              {index === 0 && <span>{step.first}</span>}
              {step.notes.map((note) => (
                <span key={note} className="num">
                  {note}
                </span>
              ))}
            </p>
          </li>
        );
      })}
    </ol>
  );
}

interface BarProps {
  /** Shares of the largest step. */
  count: number;
  before: number;
  onCount?: () => void;
  onDropped?: () => void;
}

/** Drawn twice: standing, and lying for phones; one of them is shown. The pointer's way; the keyboard has the buttons of the table. */
function Bar({ count, before, onCount, onDropped }: BarProps) {
  return (
    <>
      <svg className={css['standing']} aria-hidden="true">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the table has the same as buttons */}
        <rect
          className={css['dropped']}
          width="100%"
          y={percent(1 - before)}
          height={percent(before - count)}
          onClick={onDropped}
        />
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the table has the same as buttons */}
        <rect className={css['count']} width="100%" y={percent(1 - count)} height={percent(count)} onClick={onCount} />
      </svg>
      <svg className={css['lying']} aria-hidden="true">
        <rect className={css['dropped']} x={percent(count)} width={percent(before - count)} height="100%" />
        <rect className={css['count']} width={percent(count)} height="100%" />
      </svg>
    </>
  );
}

function Dropped({ text, onPress }: { text: string; onPress: (() => void) | undefined }) {
  const said = (
    <>
      <svg viewBox="0 0 8 8" aria-hidden="true">
        <path d="M4 7L.5 1h7z" />
      </svg>
      {text}
    </>
  );
  return onPress === undefined ? (
    <span className={css['left']}>{said}</span>
  ) : (
    <button type="button" className={css['left']} onClick={onPress}>
      {said}
    </button>
  );
}
