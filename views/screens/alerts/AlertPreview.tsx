/** The last finished intervals of a draft, and which would have fired. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { AlertPreviewInput } from '#src/alerts/contract.ts';
import type { AlertInterval } from '#src/alerts/values.ts';
import { useTrpc } from '#views/trpc.ts';
import { alertWords } from '#views/words/alerts.ts';
import { usePart } from '#views/words/words.tsx';
import { AlertChart } from './AlertChart.tsx';
import css from './Alerts.module.css';

/** While someone types, nothing is asked. */
const WAIT_MS = 400;

interface AlertPreviewProps {
  project: string;
  /** Null while the form is not complete. */
  asked: AlertPreviewInput | null;
  interval: AlertInterval;
}

export function AlertPreview({ project, asked, interval }: AlertPreviewProps) {
  const own = usePart(alertWords);
  const text = asked === null ? null : JSON.stringify(asked);
  const [settled, setSettled] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), WAIT_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const input = settled === null ? null : (JSON.parse(settled) as AlertPreviewInput);
  const { data, isError } = useQuery({
    ...useTrpc().alerts.preview.queryOptions({ project, ...(input ?? nothing) }),
    enabled: input !== null,
    retry: false,
    placeholderData: (before) => before,
  });
  return (
    <section aria-label={own.preview}>
      <h2>{own.preview}</h2>
      <p className={`dim ${css['period']}`}>{own.previewOf[interval]}</p>
      {isError ? (
        <p role="alert">{own.previewFailed}</p>
      ) : data === undefined || input === null || data.points.length === 0 ? (
        <p className="dim">{own.previewWait}</p>
      ) : (
        <AlertChart {...input} preview={data} />
      )}
    </section>
  );
}

/** Never asked. */
const nothing: AlertPreviewInput = {
  subject: { kind: 'events' },
  interval: 'day',
  condition: { kind: 'above', value: 0 },
};
