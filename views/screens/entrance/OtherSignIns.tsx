/** The ways to sign in besides a password, as far as this installation has them. */
import { useState } from 'react';
import type { SignInOptions } from '#src/accounts/contract.ts';
import { Button, ButtonLink } from '#views/kit/Button.tsx';
import { post } from '#views/post.ts';
import { signInWords } from '#views/words/sign-in.ts';
import { usePart } from '#views/words/words.tsx';
import css from './OtherSignIns.module.css';
import { withNext } from './onwards.ts';

export interface OtherSignInsProps {
  ways: SignInOptions;
  next: string | null;
  /** The link is being asked for. */
  linkBusy: boolean;
  onFailure(error: unknown): void;
}

export function OtherSignIns({ ways, next, linkBusy, onFailure }: OtherSignInsProps) {
  const { signIn: text } = usePart(signInWords);
  const [leaving, setLeaving] = useState<string | null>(null);
  if (!ways.link && ways.providers.length === 0 && ways.hosted === null) return null;
  const leaveFor = async (provider: string) => {
    setLeaving(provider);
    try {
      const { address } = await post<{ address: string }>('/api/sign-in/provider', { provider, next });
      location.assign(address);
    } catch (error) {
      setLeaving(null);
      onFailure(error);
    }
  };
  return (
    <div className={css['ways']}>
      <div className={css['or']}>{text.or}</div>
      {ways.link && (
        <Button type="submit" name="link" icon="link" busy={linkBusy && text.linkBusy}>
          {text.link}
        </Button>
      )}
      {ways.providers.map(({ id, name }) => (
        <Button key={id} busy={leaving === id && text.withBusy(name)} onClick={() => void leaveFor(id)}>
          {text.with(name)}
        </Button>
      ))}
      {ways.hosted !== null && (
        <ButtonLink href={withNext('/sign-in/hosted', next)}>{text.hosted(ways.hosted)}</ButtonLink>
      )}
    </div>
  );
}
