/** Asks once more before something that cannot be undone. */
import { type ReactNode, useState } from 'react';
import { accountPartWords } from '#views/words/account-parts.ts';
import { usePart } from '#views/words/words.tsx';
import css from './AskFirst.module.css';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import { Problem } from './Problem.tsx';

export interface AskFirstProps {
  title: string;
  text: ReactNode;
  /** On the button that does it. */
  action: string;
  busy: string;
  /** Does it; a failure is shown, else the dialog closes. */
  onConfirm(): Promise<unknown>;
  onClose(): void;
  /** Custom error message; absent: the general one. */
  words?(error: unknown): ReactNode;
}

export function AskFirst({ title, text, action, busy, onConfirm, onClose, words }: AskFirstProps) {
  const { cancel } = usePart(accountPartWords);
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const confirm = async () => {
    setIsBusy(true);
    setFailure(null);
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      setFailure(error);
      setIsBusy(false);
    }
  };
  return (
    <Dialog label={title} onClose={onClose} className="ph-no-capture">
      <div className={css['ask']}>
        <h2>{title}</h2>
        <p>{text}</p>
        {failure !== null && (
          <p role="alert" className={css['failure']}>
            {words?.(failure) ?? <Problem error={failure} />}
          </p>
        )}
        <div className={css['buttons']}>
          <Button onClick={onClose}>{cancel}</Button>
          <Button className={css['danger']} busy={isBusy && busy} onClick={() => void confirm()}>
            {action}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
