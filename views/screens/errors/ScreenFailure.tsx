/** A whole screen that could not be drawn; the frame around it still works. */
import { Page } from '#views/frame/Page.tsx';
import { FailedState } from '#views/kit/State.tsx';
import { useWords } from '#views/words/words.tsx';

export function ScreenFailure({ error, retry }: { error: unknown; retry: () => void }) {
  const { words } = useWords();
  return (
    <Page title={words.errors.title}>
      <FailedState error={error} retry={retry} />
    </Page>
  );
}
