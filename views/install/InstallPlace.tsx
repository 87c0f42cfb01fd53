/** Where the install card stands: nothing for a project that receives, the card for one that has not yet. */
import { useState } from 'react';
import { Boundary } from '#views/boundary.tsx';
import { Late } from '#views/kit/Late.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { FailedState } from '#views/kit/State.tsx';
import type { InstallCardProps } from './InstallCard.tsx';
import css from './InstallPlace.module.css';

const InstallCard = lazyPart<InstallCardProps>(
  'install',
  async () => (await import('#views/areas/install.ts')).InstallCard,
);

/** Once needed it stays until the reader hides it or leaves: it has to show that the first event has arrived. */
export function InstallPlace(props: Omit<InstallCardProps, 'onDone'>) {
  const [needed, setNeeded] = useState(!props.project.hasOutsideEvents);
  if (!needed) return null;
  return (
    <Boundary fallback={(error, retry) => <FailedState error={error} retry={retry} />}>
      <Late fallback={<div className={css['place']} aria-busy="true" />}>
        <InstallCard {...props} onDone={() => setNeeded(false)} />
      </Late>
    </Boundary>
  );
}
