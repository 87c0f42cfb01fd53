/** Gives all charts below the annotations and releases of a range, and the form that adds one where a chart is pressed. */

import { type ReactNode, useMemo, useState } from 'react';
import { mayCall } from '#src/accounts/values.ts';
import type { RangeInput } from '#src/insights/contract.ts';
import type { ProjectSummary } from '#src/projects/contract.ts';
import { ChartNotesProvider } from '#views/charts/chart-notes.tsx';
import { Late } from '#views/kit/Late.tsx';
import { useKnown } from '#views/known.ts';
import { useTrpc } from '#views/trpc.ts';
import { noteWords } from '#views/words/notes.ts';
import { usePart } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import { NoteForm } from './AddNote.tsx';

export interface NotedChartsProps {
  reference: string;
  project: ProjectSummary;
  range: RangeInput;
  children: ReactNode;
}

export function NotedCharts({ reference, project, range, children }: NotedChartsProps) {
  const own = usePart(noteWords);
  const trpc = useTrpc();
  // Charts are there without them, too.
  const asked = { project: reference, range };
  const { data: annotations } = useKnown(trpc.insights.annotations.list.queryOptions(asked));
  const { data: releases } = useKnown(trpc.errors.releases.queryOptions(asked));
  const [day, setDay] = useState<string | null>(null);
  const isWriter = mayCall('insights.annotations.create', project.role);
  const value = useMemo(
    () => ({
      notes: [
        ...(annotations ?? []),
        ...(releases ?? []).map(({ version, at }) => ({ at, text: own.release(version) })),
      ],
      add: isWriter ? (at: number) => setDay(dateIn(at, project.timeZone)) : null,
    }),
    [annotations, releases, isWriter, project.timeZone, own],
  );
  return (
    <ChartNotesProvider value={value}>
      {children}
      {day !== null && (
        <Late>
          <NoteForm
            reference={reference}
            note={null}
            day={day}
            timeZone={project.timeZone}
            onClose={() => setDay(null)}
          />
        </Late>
      )}
    </ChartNotesProvider>
  );
}
