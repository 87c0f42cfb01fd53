/** Asks once more before something that cannot be undone. A failure is told, and the dialog stays. */
import { type ReactNode, useState } from 'react';
import { Button } from '#views/kit/Button.tsx';
import { Dialog } from '#views/kit/Dialog.tsx';
import { FormError } from '#views/kit/Field.tsx';
import { teamWords } from '#views/words/teams.ts';
import { usePart } from '#views/words/words.tsx';
import css from './Dialogs.module.css';

export interface AskFirstProps {
  title: string;
  text: ReactNode;
  /** On the button that does it. */
  action: string;
  busy: string;
  onConfirm(): Promise<unknown>;
  onClose(): void;
  /** What a failure means here. */
  words(error: unknown): ReactNode;
}

export function AskFirst({ title, text, action, busy, onConfirm, onClose, words }: AskFirstProps) {
  const { cancel } = usePart(teamWords);
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
      <div className={css['body']}>
        <h2>{title}</h2>
        <p>{text}</p>
        <FormError>{failure !== null && words(failure)}</FormError>
        <div className={css['buttons']}>
          <Button className={css['danger']} busy={isBusy && busy} onClick={() => void confirm()}>
            {action}
          </Button>
          <Button onClick={onClose}>{cancel}</Button>
        </div>
      </div>
    </Dialog>
  );
}
