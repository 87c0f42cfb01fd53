/** The HTML around the shell. React puts titles and style sheets of screens into its head, wherever they are drawn. */
import type { ReactNode } from 'react';
import { preloadModule } from 'react-dom';
import { useBoot, usePreferences } from './settings.ts';

export interface DocumentProps {
  /**
   * URL of the complete page for readers without JavaScript, when parts of this one stream late: those stay
   * hidden until a script shows them. Server only, since it is inside noscript.
   */
  waitAddress?: string | undefined;
  /** Scripts that the entry will ask for; server only. */
  preload?: readonly { src: string; integrity?: string }[];
  /** Scripts that the service worker keeps with the shell, which preloads none (views/service-worker.ts); server only. */
  files?: readonly { src: string }[];
  /** CSP nonce of the scripts; server only: browsers hide it from the page. */
  nonce?: string;
  /** Scripts that must run before the first interaction; server only: hydration skips unknown elements in the head. */
  first?: ReactNode;
  children: ReactNode;
}

export function Document({ waitAddress, preload = [], files = [], nonce, first, children }: DocumentProps) {
  const boot = useBoot();
  const { language, theme } = usePreferences();
  for (const { src, ...options } of preload) {
    preloadModule(src, { as: 'script', ...options, ...(nonce === undefined ? {} : { nonce }) });
  }
  return (
    <html lang={language} {...(theme === null ? {} : { 'data-theme': theme })}>
      <head>
        <meta charSet="utf-8" />
        {first}
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content={theme ?? 'light dark'} />
        <meta name="robots" content="noindex, nofollow" />
        {/* Phones would make links of numbers, before the page is taken over. */}
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
        {files.length > 0 && <meta name="files" content={files.map(({ src }) => src).join(' ')} />}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="manifest" href="/manifest.webmanifest" />
        {boot.styles.map((href) => (
          <link key={href} rel="stylesheet" href={href} precedence="base" />
        ))}
        <noscript>
          {waitAddress === undefined ? null : <meta httpEquiv="refresh" content={`0; url=${waitAddress}`} />}
        </noscript>
      </head>
      <body>{children}</body>
    </html>
  );
}
