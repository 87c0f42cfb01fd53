import { Button } from '#views/kit/Button.tsx';
import { insightWords } from '#views/words/insights.ts';
import { usePart } from '#views/words/words.tsx';
import css from './InsightEditor.module.css';
import { useTrail } from './use-trail.ts';

/** Steps back and forth through what was asked. */
export function Trail() {
  const own = usePart(insightWords);
  const { undo, redo } = useTrail();
  return (
    <span className="script-only">
      <Button small kind="quiet" disabled={undo === null} onClick={() => undo?.()}>
        <svg className={css['step']} viewBox="0 0 16 16" aria-hidden="true">
          <path d="M5.5 3.5l-3 3 3 3M2.5 6.5h7a4 4 0 0 1 0 8h-1" />
        </svg>
        <span className="visually-hidden">{own.undo}</span>
      </Button>
      <Button small kind="quiet" disabled={redo === null} onClick={() => redo?.()}>
        <svg className={css['step']} viewBox="0 0 16 16" aria-hidden="true">
          <path d="M10.5 3.5l3 3-3 3M13.5 6.5h-7a4 4 0 0 0 0 8h1" />
        </svg>
        <span className="visually-hidden">{own.redo}</span>
      </Button>
    </span>
  );
}
