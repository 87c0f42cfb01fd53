/** Skeleton of the cached shell until the screen is loaded; without any data. */
import { ChartSkeleton } from '#views/charts/ChartSkeleton.tsx';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { useWords } from '#views/words/words.tsx';
import { Page } from './Page.tsx';
import css from './ShellScreen.module.css';

export function ShellScreen() {
  const { words } = useWords();
  return (
    <Page
      title={
        <>
          <span className={`${css['title']} skeleton`} />
          <span className="visually-hidden">{words.regions.loading}</span>
        </>
      }
    >
      <title>Luneta</title>
      <div className={css['screen']} aria-hidden="true">
        <ChartSkeleton />
        <BarTableSkeleton rows={8} />
      </div>
    </Page>
  );
}
