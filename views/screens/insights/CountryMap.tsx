/** Where the map of countries stands: it is heavy, and the table below says the same, so it comes once the page is there. */
import { lazy, Suspense, useSyncExternalStore } from 'react';
import { Boundary } from '#views/boundary.tsx';
import css from './CountryMap.module.css';
import type { WorldMapProps } from './WorldMap.tsx';

const WorldMap = lazy(async () => ({ default: (await import('./WorldMap.tsx')).WorldMap }));

export function CountryMap(props: WorldMapProps) {
  const isThere = useSyncExternalStore(subscribe, inBrowser, onServer);
  return (
    <div className={`${css['place']} script-only no-print`}>
      {isThere && (
        // Without the map there is still the table.
        <Boundary of="map" fallback={() => null}>
          <Suspense>
            <WorldMap {...props} />
          </Suspense>
        </Boundary>
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
