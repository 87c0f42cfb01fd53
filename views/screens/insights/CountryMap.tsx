/** Where the map of countries stands: it is heavy, and the table beside it says the same, so it comes once the page is there. */
import { Suspense, useSyncExternalStore } from 'react';
import { Boundary } from '#views/boundary.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import css from './CountryMap.module.css';
import type { WorldMapProps } from './WorldMap.tsx';

const WorldMap = lazyPart<WorldMapProps>('WorldMap', async () => (await import('./WorldMap.tsx')).WorldMap);

export function CountryMap(props: WorldMapProps) {
  const isThere = useSyncExternalStore(subscribe, inBrowser, onServer);
  const room = <div className={css['room']} />;
  return (
    <div className="script-only no-print">
      {isThere ? (
        // Without the map there is still the table.
        <Boundary of="map" fallback={() => null}>
          <Suspense fallback={room}>
            <WorldMap {...props} />
          </Suspense>
        </Boundary>
      ) : (
        room
      )}
    </div>
  );
}

function subscribe(): () => void {
  return () => undefined;
}

function inBrowser(): boolean {
  return true;
}

function onServer(): boolean {
  return false;
}
