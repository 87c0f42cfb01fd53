/** Asks the paths that clients send to from this very browser: what a blocker holds back shows as no answer at all. */
import { useState } from 'react';
import { Button } from '#views/kit/Button.tsx';
import { Icon } from '#views/kit/Icon.tsx';
import { installScreenWords } from '#views/words/install-screen.ts';
import { usePart } from '#views/words/words.tsx';
import css from './Install.module.css';

type Outcome = 'passes' | 'blocked';

export function PathCheck({ paths }: { paths: string[] }) {
  const part = usePart(installScreenWords);
  const [busy, setBusy] = useState(false);
  const [outcomes, setOutcomes] = useState<Outcome[]>([]);

  async function check(): Promise<void> {
    setBusy(true);
    setOutcomes(await Promise.all(paths.map(ask)));
    setBusy(false);
  }

  return (
    <section className={`${css['more']} script-only`}>
      <h2>{part.checkTitle}</h2>
      <p>{part.checkText}</p>
      <Button busy={busy && part.checking} onClick={() => void check()}>
        {part.check}
      </Button>
      <div role="status">
        {outcomes.map((outcome, index) => (
          <p key={paths[index]} className={css['outcome']}>
            <Icon name={outcome === 'passes' ? 'check' : 'error'} small />
            <span>
              <code className="mono">{paths[index]}</code> {part[outcome]}
            </span>
          </p>
        ))}
      </div>
    </section>
  );
}

/** Any answer will do: what matters is that there is one. The paths are those that the clients ask first. */
async function ask(path: string): Promise<Outcome> {
  const [script, capture] = await Promise.all([
    answers(fetch(`${path}/static/array.js`, { cache: 'no-store' })),
    answers(fetch(`${path}/e/`, { method: 'OPTIONS' })),
  ]);
  return script && capture ? 'passes' : 'blocked';
}

function answers(request: Promise<unknown>): Promise<boolean> {
  return request.then(
    () => true,
    () => false,
  );
}
