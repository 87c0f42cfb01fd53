/** The answer taken along: its rows as a file, its chart as an image. */
import { useState } from 'react';
import type { ResolvedRange } from '#src/insights/contract.ts';
import { Button, smallButtonClass } from '#views/kit/Button.tsx';
import { Icon } from '#views/kit/Icon.tsx';
import { optionClass, Popover } from '#views/kit/Popover.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { insightWords } from '#views/words/insights.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { imageOf, saveFile } from './chart-image.ts';
import { type Insight, inputOf } from './insight.ts';

export interface DownloadProps {
  reference: string;
  insight: Insight;
  result: { range: Pick<ResolvedRange, 'fromDate' | 'toDate'> };
}

const tables = ['csv', 'xlsx'] as const;

/** Longer tables are left to files, px. */
const MAX_TABLE_HEIGHT = 1_000;

export function Downloads(props: DownloadProps) {
  const own = usePart(insightWords);
  return (
    <Popover
      list
      label={own.download}
      triggerClass={smallButtonClass}
      trigger={
        <>
          <Icon name="intake" />
          {own.download}
          <Icon name="down" small />
        </>
      }
    >
      <ul>
        {tables.map((format) => (
          <li key={format}>
            <a href={fileAddress(props.reference, props.insight, format)} download className={optionClass()}>
              {own.tables[format]}
            </a>
          </li>
        ))}
        <li>
          <a href={drawingAddress(props.reference, props.insight)} download className={optionClass()}>
            {own.images.svg}
          </a>
        </li>
        <li className="script-only">
          <ImageButton {...props} />
        </li>
      </ul>
    </Popover>
  );
}

/** What stands below the tools, as an image: the chart, and its table unless that is long. */
function ImageButton({ insight, result }: DownloadProps) {
  const own = usePart(insightWords);
  const { format: texts } = useWords();
  const [isBusy, setIsBusy] = useState(false);
  const dates = [result.range.fromDate, result.range.toDate].map((date) => texts.day(date));
  async function save(tools: Element | null): Promise<void> {
    const elements: HTMLElement[] = [];
    for (let next = tools?.nextElementSibling; next; next = next.nextElementSibling) {
      if (!(next instanceof HTMLElement) || next.matches('[data-foot], details')) continue;
      if (elements.length === 0 || next.offsetHeight <= MAX_TABLE_HEIGHT) elements.push(next);
    }
    setIsBusy(true);
    try {
      const title = `${own.kinds[insight.kind]}, ${[...new Set(dates)].join(' – ')}`;
      saveFile(await imageOf(elements, title), `${insight.kind}.png`);
    } catch {
      showToast(own.imageFailed);
    } finally {
      setIsBusy(false);
    }
  }
  return (
    <Button
      small
      kind="quiet"
      busy={isBusy && own.images.png}
      onClick={({ currentTarget }) => void save(currentTarget.closest('[data-tools]'))}
    >
      {own.images.png}
    </Button>
  );
}

/** The chart of the answer, drawn by the server. */
function drawingAddress(reference: string, insight: Insight): string {
  const display = encodeURIComponent(JSON.stringify(insight.display));
  return `${queryAddress(reference, insight, 'svg')}&display=${display}`;
}

/** The rows of the answer as a file. */
export function fileAddress(reference: string, insight: Insight, format: (typeof tables)[number]): string {
  return queryAddress(reference, insight, format);
}

function queryAddress(reference: string, insight: Insight, format: (typeof tables)[number] | 'svg'): string {
  const input = encodeURIComponent(JSON.stringify(inputOf(insight)));
  return `/project/${encodeURIComponent(reference)}/query/${insight.kind}.${format}?input=${input}`;
}
