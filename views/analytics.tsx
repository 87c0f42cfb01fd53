/**
 * The measuring that lives in the tree: it follows the places shown, and mounts the web-analytics component with our own
 * script. Loaded after hydration (views/shell.tsx).
 */
import { Analytics, type BeforeSendEvent } from '@vercel/analytics/react';
import { useEffect, useState } from 'react';
import { pushPage, startMeasuring } from './measure.ts';
import { useNavigation } from './navigation.tsx';
import { patternOf } from './routing.ts';
import { useBoot } from './settings.ts';

export function Measuring() {
  const boot = useBoot();
  const { place, routes } = useNavigation();
  const [isOn, setIsOn] = useState(false);
  const pattern = patternOf(routes, place.path);

  useEffect(() => {
    const on = () => setIsOn(true);
    // Blocked or broken: the component below is of the same house, but a blocker may let it through.
    startMeasuring(boot, routes).then(on, on);
  }, [boot, routes]);
  useEffect(() => {
    if (isOn) pushPage(boot.settings, pattern);
  }, [isOn, boot.settings, pattern]);

  if (!isOn || boot.token === null || !boot.collects) return null;
  return (
    <Analytics
      mode="production"
      scriptSrc={`/ingest/va/${boot.token}/script.js`}
      beforeSend={(event: BeforeSendEvent) => {
        const { origin, pathname } = new URL(event.url);
        return { ...event, url: origin + patternOf(routes, pathname) };
      }}
    />
  );
}
