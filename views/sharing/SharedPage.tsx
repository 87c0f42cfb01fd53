/** The document of a shared link: one dashboard or insight, without a frame, a script or a link into the product. Server only. */
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ShareTheme } from '#src/sharing/values.ts';
import { Button } from '#views/kit/Button.tsx';
import { FormError, TextField } from '#views/kit/Field.tsx';
import { Mark } from '#views/kit/Icon.tsx';
import { State } from '#views/kit/State.tsx';
import { NavigationProvider } from '#views/navigation.tsx';
import { type Boot, BootContext, PreferencesContext } from '#views/settings.ts';
import { type Client, TrpcProvider } from '#views/trpc.ts';
import type { Words } from '#views/words/en.ts';
import { sharedPageWords } from '#views/words/shared-page.ts';
import { usePart, WordsProvider } from '#views/words/words.tsx';
import { PublicHead } from './PublicHead.tsx';
import { SharedDashboard, type SharedDashboardProps } from './SharedDashboard.tsx';
import css from './SharedPage.module.css';

export type SharedContent =
  | { kind: 'view'; view: SharedDashboardProps }
  | { kind: 'password'; isWrong: boolean }
  | { kind: 'gone' };

export interface SharedPageProps {
  boot: Boot;
  words: Words;
  queryClient: QueryClient;
  client: Client;
  path: string;
  theme: ShareTheme;
  /** Style sheets of what the page shows, besides those of every page. */
  styles: readonly string[];
  content: SharedContent;
}

export function SharedPage({ boot, words, queryClient, client, path, theme, styles, content }: SharedPageProps) {
  const scheme = theme === 'light' || theme === 'dark' ? theme : null;
  const preferences = { language: words.language, theme: scheme, setLanguage: nothing, setTheme: nothing };
  return (
    <html
      lang={words.language}
      className={theme === 'transparent' ? css['transparent'] : undefined}
      {...(scheme === null ? {} : { 'data-theme': scheme })}
    >
      <PublicHead title={titleOf(content, words)} scheme={scheme} styles={[...boot.styles, ...styles]} />
      <body>
        <BootContext value={boot}>
          <PreferencesContext value={preferences}>
            <WordsProvider words={words}>
              <QueryClientProvider client={queryClient}>
                <TrpcProvider trpcClient={client} queryClient={queryClient}>
                  <NavigationProvider initial={{ path, search: '', key: '', by: 'load' }} routes={[]}>
                    <div className={css['page']}>
                      <Content content={content} path={path} />
                    </div>
                  </NavigationProvider>
                </TrpcProvider>
              </QueryClientProvider>
            </WordsProvider>
          </PreferencesContext>
        </BootContext>
      </body>
    </html>
  );
}

function nothing(): void {}

function titleOf(content: SharedContent, { language }: Words): string {
  const own = sharedPageWords[language];
  if (content.kind === 'view') return content.view.name;
  return content.kind === 'password' ? own.protectedTitle : own.goneTitle;
}

function Content({ content, path }: { content: SharedContent; path: string }): ReactNode {
  const own = usePart(sharedPageWords);
  if (content.kind === 'password') return <Password path={path} isWrong={content.isWrong} />;
  if (content.kind === 'view') return <SharedDashboard {...content.view} />;
  return (
    <main>
      <h1 className="visually-hidden">{own.goneTitle}</h1>
      <State icon="lock" title={own.goneTitle}>
        {own.goneText}
      </State>
    </main>
  );
}

function Password({ path, isWrong }: { path: string; isWrong: boolean }) {
  const own = usePart(sharedPageWords);
  return (
    <main>
      <form method="post" action={path} className={css['ask']}>
        <Mark />
        <h1>{own.protectedTitle}</h1>
        <p className="dim">{own.protectedText}</p>
        <TextField label={own.password} type="password" name="password" required autoComplete="off" maxLength={200} />
        <FormError>{isWrong && own.wrong}</FormError>
        <Button type="submit" kind="primary">
          {own.open}
        </Button>
      </form>
    </main>
  );
}
