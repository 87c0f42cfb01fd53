/**
 * What is being changed: shown in the cards at once, and asked a moment after the last change, when it becomes the address. What the address
 * says otherwise (a link, Back) takes its place.
 */
import { useEffect, useRef, useState } from 'react';
import { insightAddress } from '#views/insights/address.ts';
import type { Insight } from '#views/insights/insight.ts';
import { useNavigation } from '#views/navigation.tsx';

/** As long may the next change take, ms. */
const SETTLES_AFTER_MS = 300;

export interface Draft {
  /** With what is not asked yet. */
  insight: Insight;
  change(insight: Insight): void;
}

/** @param text query string of the address, which identifies the insight */
export function useDraft(path: string, insight: Insight, text: string): Draft {
  const { navigate } = useNavigation();
  const [draft, setDraft] = useState<Insight | null>(null);
  const [seen, setSeen] = useState(text);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  if (seen !== text) {
    setSeen(text);
    setDraft(null);
  }

  useEffect(() => {
    // The address of now is what counts: what waited for it is past.
    void text;
    return () => clearTimeout(timer.current);
  }, [text]);

  function change(next: Insight): void {
    setDraft(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => navigate(insightAddress(path, next)), SETTLES_AFTER_MS);
  }

  return { insight: draft ?? insight, change };
}
