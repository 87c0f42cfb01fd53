/** In place of a screen of numbers while events are passed on: there are none here, and this says where they are. */
import { ingestionOf } from '#views/frame/addresses.ts';
import { Page } from '#views/frame/Page.tsx';
import { ButtonLink, PlainButtonLink } from '#views/kit/Button.tsx';
import { State } from '#views/kit/State.tsx';
import { uiHost, useBoot } from '#views/settings.ts';
import { relayedWords } from '#views/words/relayed.ts';
import { usePart, useWords } from '#views/words/words.tsx';

export function Relayed({ title, project }: { title: string; project: string }) {
  const { settings } = useBoot();
  const { words } = useWords();
  const text = usePart(relayedWords);
  const address = uiHost(settings);
  const { host } = new URL(address);
  return (
    <Page title={title}>
      <State
        icon="link"
        title={text.title(host)}
        actions={
          <>
            <PlainButtonLink href={address} kind="primary">
              {text.open(host)}
            </PlainButtonLink>
            <ButtonLink href={ingestionOf(project)}>{words.nav.ingestion}</ButtonLink>
          </>
        }
      >
        {text.text}
      </State>
    </Page>
  );
}
