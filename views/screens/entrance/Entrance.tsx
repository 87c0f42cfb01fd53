/** The frame of the screens before one is signed in: the form on one side, a drawing on the other, the language in the foot. */
import type { ReactNode } from 'react';
import { ConnectionNotice } from '#views/frame/ConnectionNotice.tsx';
import { classNames } from '#views/kit/class-names.ts';
import { Mark } from '#views/kit/Icon.tsx';
import { useNavigation } from '#views/navigation.tsx';
import { useBoot, usePreferences } from '#views/settings.ts';
import { signInWords } from '#views/words/sign-in.ts';
import { usePart } from '#views/words/words.tsx';
import { Drawing } from './Drawing.tsx';
import css from './Entrance.module.css';

export interface EntranceProps {
  title: ReactNode;
  lead?: ReactNode;
  /** For forms of many fields. */
  wide?: boolean;
  children: ReactNode;
}

export function Entrance({ title, lead, wide = false, children }: EntranceProps) {
  const text = usePart(signInWords);
  const { settings } = useBoot();
  return (
    <div className={css['entrance']}>
      <div className={css['side']}>
        <header className={css['brand']}>
          <Mark />
          Luneta
        </header>
        <main id="content" className={classNames(css['main'], wide && css['wide'])}>
          <ConnectionNotice />
          <h1>{title}</h1>
          {lead !== undefined && <p className={css['lead']}>{lead}</p>}
          <noscript>
            <p className={css['lead']}>{text.needsScript}</p>
          </noscript>
          {children}
        </main>
        <footer className={css['foot']}>
          <span className="clip">{new URL(settings.PUBLIC_APP_URL).host}</span>
          <OtherLanguage label={text.otherLanguage} />
        </footer>
      </div>
      <div className={css['picture']} aria-hidden="true">
        <Drawing />
        <p>
          <strong>{text.tagline}</strong>
          {text.taglineMore}
        </p>
      </div>
    </div>
  );
}

/** A form that works without JavaScript; with it what was typed stays. */
function OtherLanguage({ label }: { label: string }) {
  const { place } = useNavigation();
  const { language, setLanguage } = usePreferences();
  const other = language === 'en' ? 'pt-BR' : 'en';
  return (
    <form
      method="post"
      action="/preferences"
      onSubmit={(event) => {
        event.preventDefault();
        setLanguage(other);
      }}
    >
      <input type="hidden" name="back" value={place.path + place.search} />
      <button type="submit" name="language" value={other} lang={other} className={css['language']}>
        {label}
      </button>
    </form>
  );
}
