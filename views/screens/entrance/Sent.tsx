/** After a link was asked for: what to do now. It says the same whether there is an account or not. */
import { Button } from '#views/kit/Button.tsx';
import { signInWords } from '#views/words/sign-in.ts';
import { usePart } from '#views/words/words.tsx';
import { Entrance } from './Entrance.tsx';
import css from './Sent.module.css';

export function Sent({ title, text, onBack }: { title?: string; text: string; onBack(): void }) {
  const { sent } = usePart(signInWords);
  return (
    <Entrance title={title ?? sent.title}>
      <div role="status" className={css['sent']}>
        <p className="ph-no-capture">{text}</p>
        {title === undefined && <p className="dim">{sent.nothing}</p>}
      </div>
      <Button onClick={onBack}>{sent.back}</Button>
    </Entrance>
  );
}
