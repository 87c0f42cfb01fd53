/** Conversions in the last 28 days of a goal that is not saved yet. */

import { useState } from 'react';
import type { GoalDraft } from '#src/insights/goals/contract.ts';
import type { DraftExplainedProps } from '#views/explain/DraftExplained.tsx';
import { Button } from '#views/kit/Button.tsx';
import { Late } from '#views/kit/Late.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { useSettled } from '#views/kit/use-settled.ts';
import { useKnown } from '#views/known.ts';
import { WithoutAmount } from '#views/question/WithoutAmount.tsx';
import { useTrpc } from '#views/trpc.ts';
import { explainLinkWords } from '#views/words/explain-link.ts';
import { goalWords } from '#views/words/goals.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './GoalForm.module.css';

const DraftExplained = lazyPart<DraftExplainedProps>(
  'explain',
  async () => (await import('#views/areas/explain.ts')).DraftExplained,
);

const AFTER_MS = 500;

export interface GoalPreviewProps {
  reference: string;
  /** Null: something is missing. */
  draft: GoalDraft | null;
}

export function GoalPreview({ reference, draft }: GoalPreviewProps) {
  const own = usePart(goalWords);
  const { link, close } = usePart(explainLinkWords);
  const asked = useSettled(draft === null ? '' : JSON.stringify(draft), AFTER_MS);
  const [isExplained, setIsExplained] = useState(false);
  return (
    <section className={css['preview']} aria-label={own.preview}>
      <h3>{own.preview}</h3>
      <p role="status">
        {draft === null || asked === '' ? own.previewIncomplete : <Counted reference={reference} asked={asked} />}
      </p>
      {draft !== null && asked !== '' && (
        <>
          <Unread reference={reference} asked={asked} />
          <Button small kind="quiet" aria-expanded={isExplained} onClick={() => setIsExplained(!isExplained)}>
            {isExplained ? close : link}
          </Button>
          {isExplained && (
            <Late fallback={<p>{own.counting}</p>}>
              <DraftExplained reference={reference} draft={JSON.parse(asked) as GoalDraft} />
            </Late>
          )}
        </>
      )}
    </section>
  );
}

/** Said when some amounts cannot be read. */
function Unread({ reference, asked }: { reference: string; asked: string }) {
  const trpc = useTrpc();
  const draft = JSON.parse(asked) as GoalDraft;
  const { data } = useKnown({
    ...trpc.insights.goals.preview.queryOptions({ project: reference, draft }),
    retry: false,
    placeholderData: (before) => before,
  });
  if (data === undefined) return null;
  return <WithoutAmount project={reference} figure={data} goal={draft} range="last_28_days" className="dim" />;
}

function Counted({ reference, asked }: { reference: string; asked: string }) {
  const own = usePart(goalWords);
  const { format } = useWords();
  const trpc = useTrpc();
  const draft = JSON.parse(asked) as GoalDraft;
  const { data, error } = useKnown({
    ...trpc.insights.goals.preview.queryOptions({ project: reference, draft }),
    retry: false,
    placeholderData: (before) => before,
  });
  if (error) return own.wrong;
  if (data === undefined) return own.counting;
  const { conversions, people, conversionRate: rate, revenue, revealsPersons } = data;
  const hidden = revealsPersons ? ` ${own.notForViewers}` : '';
  if (conversions.value === 0) return own.previewNone + hidden;
  const by = own.previewPeople(people.value ?? 0, format.number(people.value ?? 0));
  const share = rate.value === null ? '–' : format.percent(rate.value);
  const money = revenue.map(({ currency, sum }) => format.money(sum.value ?? 0, currency)).join(' · ');
  return (
    `${own.previewText(conversions.value ?? 0, format.number(conversions.value ?? 0), by, share)} ${money}`.trim() +
    hidden
  );
}
