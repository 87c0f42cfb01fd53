/** The head of pages for readers without an account: no script, not found by search engines. Server only. */

interface PublicHeadProps {
  title: string;
  /** `light` or `dark`; absent: as the system. */
  scheme?: string | null;
  styles: readonly string[];
}

export function PublicHead({ title, scheme, styles }: PublicHeadProps) {
  return (
    <head>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
      <meta name="color-scheme" content={scheme ?? 'light dark'} />
      <meta name="robots" content="noindex, nofollow" />
      <meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      {styles.map((href) => (
        <link key={href} rel="stylesheet" href={href} precedence="base" />
      ))}
      <title>{`${title} · Luneta`}</title>
    </head>
  );
}
