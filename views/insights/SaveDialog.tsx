/** The dialog that names what is saved: name, description and tags. */
import type { ReactNode } from 'react';
import { MAX_DESCRIPTION, MAX_INSIGHT_NAME, MAX_TAG, MAX_TAGS } from '#src/insights/saved/values.ts';
import { Button } from '#views/kit/Button.tsx';
import { Dialog } from '#views/kit/Dialog.tsx';
import { FormError, TextField } from '#views/kit/Field.tsx';
import { Problem } from '#views/kit/Problem.tsx';
import { useForm } from '#views/kit/use-form.ts';
import type { Failure } from '#views/trpc.ts';
import { savedInsightWords } from '#views/words/saved-insights.ts';
import { usePart } from '#views/words/words.tsx';
import css from './SaveDialog.module.css';

export interface InsightNames {
  name: string;
  description: string;
  tags: string[];
}

interface SaveDialogProps {
  title: string;
  names: InsightNames;
  /** Sends it; a failure is shown, else the dialog closes. */
  onSave(names: InsightNames): Promise<void>;
  onClose(): void;
}

export function SaveDialog({ title, names, onSave, onClose }: SaveDialogProps) {
  const { save: text } = usePart(savedInsightWords);
  const { busy, failure, onSubmit } = useForm<keyof InsightNames>({
    async send(values) {
      await onSave(namesIn(values));
      onClose();
    },
  });
  return (
    <Dialog label={title} onClose={onClose} className="ph-no-capture">
      <form className={css['form']} onSubmit={onSubmit}>
        <h2>{title}</h2>
        <NameFields {...names} />
        <FormError>{failure !== null && <SaveFailure failure={failure} />}</FormError>
        <div className={css['buttons']}>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button type="submit" kind="primary" busy={busy && text.saving}>
            {text.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Name, description and tags of an insight or a dashboard. */
export function NameFields({ name, description, tags }: InsightNames) {
  const { save: text } = usePart(savedInsightWords);
  return (
    <>
      <TextField
        label={text.name}
        name="name"
        required
        maxLength={MAX_INSIGHT_NAME}
        defaultValue={name}
        autoComplete="off"
      />
      <TextField
        label={text.description}
        name="description"
        maxLength={MAX_DESCRIPTION}
        defaultValue={description}
        autoComplete="off"
      />
      <TextField
        label={text.tags}
        hint={text.tagsHint}
        name="tags"
        maxLength={MAX_TAGS * (MAX_TAG + 2)}
        defaultValue={tags.join(', ')}
        autoComplete="off"
      />
    </>
  );
}

/** The values of `NameFields`. */
export function namesIn({ name, description, tags }: Record<keyof InsightNames, string>): InsightNames {
  return { name: name.trim(), description: description.trim(), tags: tagsIn(tags) };
}

/** Why an insight was not saved. */
export function SaveFailure({ failure }: { failure: Failure }): ReactNode {
  const { save: text } = usePart(savedInsightWords);
  if (failure.code === 'conflict' && failure.field === 'revision') return text.conflict;
  if (failure.code === 'invalid' && failure.field === 'segment') return text.ownSegment;
  return <Problem error={failure} />;
}

/** Separated by commas, each once. */
export function tagsIn(text: string): string[] {
  const tags = text.split(',').map((tag) => tag.trim().slice(0, MAX_TAG));
  return [...new Set(tags.filter((tag) => tag !== ''))].slice(0, MAX_TAGS);
}
