/** The document of an error page: no shell, no script, no query, since any of them may be what failed. Server only. */
import { ProblemBody, type ProblemBodyProps, problemOf } from './screens/errors/ProblemBody.tsx';
import type { Theme } from './settings.ts';

export interface ProblemPageProps extends ProblemBodyProps {
  theme: Theme | null;
  styles: readonly string[];
}

export function ProblemPage({ theme, styles, ...problem }: ProblemPageProps) {
  const { words } = problem;
  return (
    <html lang={words.language} {...(theme === null ? {} : { 'data-theme': theme })}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content={theme ?? 'light dark'} />
        <meta name="robots" content="noindex, nofollow" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {styles.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
        <title>{`${problemOf(problem).title} · Luneta`}</title>
      </head>
      <body>
        <ProblemBody {...problem} />
      </body>
    </html>
  );
}
