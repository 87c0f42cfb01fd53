/**
 * What is being changed: shown in the cards at once, and asked a moment after the last change, when it becomes the address. What the address
 * says otherwise (a link, Back) takes its place.
 */
import { useEffect, useState } from 'react';
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
  const { navigate, pending } = useNavigation();
  const [draft, setDraft] = useState<Insight | null>(null);
  const [seen, setSeen] = useState(text);
  /** Query strings that this hook has navigated to. */
  const [sent, setSent] = useState<readonly string[]>([]);
  const address = draft === null ? null : insightAddress(path, draft);
  if (seen !== text) {
    setSeen(text);
    // A change made while the one before was on its way to the address is newer than that address.
    const isOlder = sent.includes(text) && address !== null && queryOf(address) !== text;
    if (!isOlder) {
      setDraft(null);
      setSent([]);
    }
  }

  useEffect(() => {
    // A link that was followed since goes first.
    if (address === null || pending || queryOf(address) === text) return;
    const timer = setTimeout(() => {
      setSent((before) => [...before, queryOf(address)]);
      navigate(address);
    }, SETTLES_AFTER_MS);
    return () => clearTimeout(timer);
  }, [address, text, pending, navigate]);

  return { insight: draft ?? insight, change: setDraft };
}

/** As `URLSearchParams` writes it. */
function queryOf(address: string): string {
  return new URL(address, 'http://here').searchParams.toString();
}
