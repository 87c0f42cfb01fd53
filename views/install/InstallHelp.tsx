/** Troubleshooting when no event arrives. */
import { Icon } from '#views/kit/Icon.tsx';
import { installWords } from '#views/words/install.ts';
import { usePart } from '#views/words/words.tsx';
import css from './InstallHelp.module.css';
import { WithCode } from './WithCode.tsx';

export function InstallHelp() {
  const text = usePart(installWords);
  return (
    <details className={css['help']}>
      <summary>
        <Icon name="right" />
        {text.help}
      </summary>
      <ul>
        {[text.helpConsole, text.helpStatus, text.helpBlocked].map((prose) => (
          <li key={prose[1]}>
            <WithCode prose={prose} />
          </li>
        ))}
      </ul>
    </details>
  );
}
