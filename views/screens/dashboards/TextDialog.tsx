/** Writes the text of a tile, or a heading. */
import { MAX_HEADING, MAX_TILE_TEXT } from '#src/dashboards/values.ts';
import { Button } from '#views/kit/Button.tsx';
import { Dialog } from '#views/kit/Dialog.tsx';
import { TextAreaField, TextField } from '#views/kit/Field.tsx';
import { dashboardEditWords } from '#views/words/dashboard-edit.ts';
import { dashboardWords } from '#views/words/dashboards.ts';
import { usePart } from '#views/words/words.tsx';
import css from './Dashboards.module.css';

interface TextDialogProps {
  kind: 'text' | 'heading';
  text: string;
  onSave(text: string): void;
  onClose(): void;
}

export function TextDialog({ kind, text, onSave, onClose }: TextDialogProps) {
  const own = usePart(dashboardWords);
  const edit = usePart(dashboardEditWords);
  const title = kind === 'heading' ? own.heading : own.text;
  return (
    <Dialog label={title} onClose={onClose} className="ph-no-capture">
      <form
        className={css['form']}
        onSubmit={(event) => {
          event.preventDefault();
          const said = new FormData(event.currentTarget).get('text');
          if (typeof said === 'string' && said.trim() !== '') onSave(said.trim());
        }}
      >
        <h2>{title}</h2>
        {kind === 'heading' ? (
          <TextField
            label={edit.headingText}
            name="text"
            required
            maxLength={MAX_HEADING}
            defaultValue={text}
            autoComplete="off"
          />
        ) : (
          <TextAreaField
            label={edit.content}
            name="text"
            rows={8}
            required
            maxLength={MAX_TILE_TEXT}
            defaultValue={text}
          />
        )}
        <div className={css['buttons']}>
          <Button onClick={onClose}>{own.cancel}</Button>
          <Button type="submit" kind="primary">
            {text === '' ? edit.add : own.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
