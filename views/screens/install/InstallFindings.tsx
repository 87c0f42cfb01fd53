/** Further findings of the check: requests with an unknown token, and visitors that are all bots. */
import type { Install } from '#src/collect/contract.ts';
import { WithCode } from '#views/install/WithCode.tsx';
import { Callout } from '#views/kit/Callout.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import { installScreenWords } from '#views/words/install-screen.ts';
import { ago } from '#views/words/relative.ts';
import { usePart, useWords } from '#views/words/words.tsx';

export function InstallFindings({ install: { refusal, onlyBots }, timeZone }: { install: Install; timeZone: string }) {
  const { words } = useWords();
  const part = usePart(installScreenWords);
  const time = useServerTime();
  const [before, , after] = part.contentType;
  return (
    <>
      {onlyBots && <Callout tone="warn">{part.onlyBots}</Callout>}
      {refusal && (
        <Callout tone="warn">
          {firstUp(
            (refusal.reason === 'token' ? part.refusedToken : part.refusedContent)(
              refusal.host,
              ago(refusal.at, Math.max(time, refusal.at), timeZone, words),
            ),
          )}
          {refusal.reason === 'invalid' && refusal.contentType !== null && (
            <>
              {' '}
              <WithCode prose={[before, refusal.contentType, after]} />
            </>
          )}
        </Callout>
      )}
    </>
  );
}

function firstUp(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}
