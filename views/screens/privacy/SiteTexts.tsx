/** Words for the site's privacy page and code for its buttons, ready to copy in either language. */
import { useState } from 'react';
import type { Install } from '#src/collect/contract.ts';
import type { PrivacyOverview } from '#src/privacy/contract.ts';
import { allSnippets } from '#views/install/all-snippets.ts';
import { CodeBlock, CopyButton } from '#views/kit/CodeBlock.tsx';
import { SelectField } from '#views/kit/Field.tsx';
import records from '#views/kit/Records.module.css';
import type { Language } from '#views/words/en.ts';
import { privacyWords } from '#views/words/privacy.ts';
import { type CountingWay, optOutSnippet, privacyNotice } from '#views/words/privacy-notice.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './privacy.module.css';

export interface SiteTextsProps {
  settings: PrivacyOverview['settings'];
  /** Null while nothing is collected here. */
  install: Pick<Install, 'token' | 'host'> | null;
}

export function SiteTexts({ settings, install }: SiteTextsProps) {
  const text = usePart(privacyWords);
  const own = useWords().language;
  const [language, setLanguage] = useState<Language>(own);
  const [way, setWay] = useState<CountingWay>(settings.cookieless ? 'cookieless' : 'consent');
  const notice = privacyNotice(language, way, settings);
  return (
    <>
      <div className={css['pair']}>
        <SelectField
          label={text.language}
          value={language}
          onChange={({ target }) => setLanguage(target.value === 'en' ? 'en' : 'pt-BR')}
        >
          <option value="en">English</option>
          <option value="pt-BR">Português</option>
        </SelectField>
        <SelectField
          label={text.way}
          value={way}
          onChange={({ target }) => setWay(target.value === 'consent' ? 'consent' : 'cookieless')}
        >
          <option value="cookieless">{text.ways.cookieless}</option>
          <option value="consent">{text.ways.consent}</option>
        </SelectField>
      </div>
      <figure className={css['notice']}>
        <figcaption>
          <span>{text.notice}</span>
          <CopyButton text={notice} />
        </figcaption>
        <div lang={language}>
          {notice.split('\n\n').map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
      </figure>
      <CodeBlock title={text.optOut} code={optOutSnippet(language)} />
      <p className={records['note']}>{text.optOutText}</p>
      {way === 'consent' && install !== null && <CodeBlock title={text.consent} code={allSnippets(install).consent} />}
    </>
  );
}
