/** One's own keys for the public API: listed with their rights, made and shown once, revoked. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { frameQueries } from '#views/frame/queries.ts';
import { SettingsPage } from '#views/frame/SettingsPage.tsx';
import { Late } from '#views/kit/Late.tsx';
import list from '#views/kit/Records.module.css';
import { Section } from '#views/kit/Section.tsx';
import type { ScreenModule } from '#views/screen.ts';
import { useTrpc } from '#views/trpc.ts';
import { keysWords } from '#views/words/keys.ts';
import { usePart } from '#views/words/words.tsx';
import { KeyRow } from './KeyRow.tsx';
import { NewKey } from './NewKey.tsx';

export const queries: ScreenModule['queries'] = (trpc, props) => [
  ...frameQueries(trpc, props),
  { options: trpc.projects.apiKeys.list.queryOptions(), critical: true },
];

export const title: ScreenModule['title'] = ({ language }) => keysWords[language].title;

export function Screen() {
  return (
    <SettingsPage tab="keys">
      <div className="ph-no-capture">
        <Late>
          <Content />
        </Late>
      </div>
    </SettingsPage>
  );
}

function Content() {
  const text = usePart(keysWords);
  const trpc = useTrpc();
  const { data: keys } = useSuspenseQuery(trpc.projects.apiKeys.list.queryOptions());
  const { data: projects } = useSuspenseQuery(trpc.projects.list.queryOptions());
  const { data: me } = useSuspenseQuery(trpc.accounts.me.queryOptions());
  return (
    <>
      <Section title={text.title} text={text.text}>
        {keys.length === 0 ? (
          <p>{text.none}</p>
        ) : (
          <ul className={list['list']}>
            {keys.map((each) => (
              <KeyRow key={each.id} own={each} projects={projects} timeZone={me.timeZone} />
            ))}
          </ul>
        )}
      </Section>
      <Section title={text.newTitle} text={text.newText}>
        <NewKey projects={projects} />
      </Section>
    </>
  );
}
