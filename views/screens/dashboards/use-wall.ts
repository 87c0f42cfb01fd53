/** What a screen that stands for days needs of the browser. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useServerTime } from '#views/kit/server-time.ts';
import { useTrpc } from '#views/trpc.ts';

const SECOND_MS = 1_000;

/** Keeps the screen awake while it is looked at; browsers without it, or that refuse, may let it sleep. */
export function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | null = null;
    let isOver = false;
    const release = () => {
      lock?.release().catch(() => undefined);
      lock = null;
    };
    const keep = async () => {
      // The browser releases it whenever the page is hidden.
      if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
      const found = await navigator.wakeLock.request('screen').catch(() => null);
      release();
      lock = found;
      if (isOver) release();
    };
    const onVisible = () => void keep();
    void keep();
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', onVisible);
      release();
    };
  }, []);
}

/** The server's time, each second, also after a sleep. Equal on both sides at first. */
export function useClock(): number {
  const [start] = useState(useServerTime());
  const [time, setTime] = useState(start);
  useEffect(() => {
    const ahead = start - Date.now();
    const timer = setInterval(() => setTime(Date.now() + ahead), SECOND_MS);
    return () => clearInterval(timer);
  }, [start]);
  return time;
}

/** When the oldest number on the screen was counted, by the browser's clock, ms; 0: not known yet. */
export function useCountedAt(): number {
  const trpc = useTrpc();
  const cache = useQueryClient().getQueryCache();
  return useSyncExternalStore(
    (notify) => cache.subscribe(notify),
    () => {
      const shown = cache.findAll({ queryKey: trpc.insights.query.pathKey(), type: 'active' });
      const times = shown.map(({ state }) => state.dataUpdatedAt).filter((at) => at > 0);
      return times.length === 0 ? 0 : Math.min(...times);
    },
    () => 0,
  );
}

/** Runs when Escape is pressed and nothing else uses it. */
export function useEscape(run: () => void): void {
  useEffect(() => {
    const onKey = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key === 'Escape' && !defaultPrevented && document.fullscreenElement === null) run();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [run]);
}
