/** Where the map of countries or states stands: it is heavy, and the table beside it says the same, so it loads when it is scrolled into view. */
import { useRef } from 'react';
import { Boundary } from '#views/boundary.tsx';
import { Late } from '#views/kit/Late.tsx';
import { useSeen } from '#views/kit/use-seen.ts';
import css from './CountryMap.module.css';
import { WorldMap, type WorldMapProps } from './WorldMap.tsx';

export function CountryMap(props: WorldMapProps) {
  const place = useRef<HTMLDivElement>(null);
  const isSeen = useSeen(place);
  const room = <div className={css[props.of === 'country' ? 'room' : 'tiles']} />;
  return (
    <div ref={place} className="script-only no-print">
      {isSeen ? (
        // Without the map there is still the table.
        <Boundary of="map" fallback={() => null}>
          <Late fallback={room}>
            <WorldMap {...props} />
          </Late>
        </Boundary>
      ) : (
        room
      )}
    </div>
  );
}
