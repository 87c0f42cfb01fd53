/** A part of a group's page, which loads and fails alone. */
import type { ReactNode } from 'react';
import { Boundary } from '#views/boundary.tsx';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { Late } from '#views/kit/Late.tsx';
import { FailedState } from '#views/kit/State.tsx';
import css from './Groups.module.css';

interface GroupSectionProps {
  title: string;
  note?: string;
  /** What it shows: another one is tried again after a failure. */
  of: string;
  /** As tall as what comes in its place. */
  skeleton?: ReactNode;
  children: ReactNode;
}

export function GroupSection({
  title,
  note,
  of,
  skeleton = <BarTableSkeleton rows={4} />,
  children,
}: GroupSectionProps) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {note !== undefined && <p className={css['note']}>{note}</p>}
      <div className={css['part']}>
        <Boundary of={of} fallback={(error, retry) => <FailedState error={error} retry={retry} />}>
          <Late fallback={skeleton}>{children}</Late>
        </Boundary>
      </div>
    </section>
  );
}
