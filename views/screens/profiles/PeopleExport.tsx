/** Takes along whom the list shows: at once, or, when they are many, as a file that is made in the background. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { exportsOf, peopleOf } from '#views/frame/addresses.ts';
import { useTableFileName } from '#views/frame/queries.ts';
import { Button, smallButtonClass } from '#views/kit/Button.tsx';
import { ErrorMessage } from '#views/kit/ErrorMessage.tsx';
import { FormError } from '#views/kit/Field.tsx';
import { Icon } from '#views/kit/Icon.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useNavigate } from '#views/navigation.tsx';
import { useTrpc } from '#views/trpc.ts';
import { peopleWords } from '#views/words/people.ts';
import { usePart } from '#views/words/words.tsx';
import { type PeopleQuestion, paramsOf, peopleInput } from './people-address.ts';

interface PeopleExportProps {
  project: string;
  question: PeopleQuestion;
  /** More than are sent at once. */
  many: boolean;
}

export function PeopleExport({ project, question, many }: PeopleExportProps) {
  const text = usePart(peopleWords);
  const fileName = useTableFileName();
  if (many) return <Later project={project} question={question} />;
  return (
    <a href={`${peopleOf(project)}/export?${paramsOf(question)}`} download className={smallButtonClass}>
      <Icon name="intake" />
      {text.export(fileName)}
    </a>
  );
}

function Later({ project, question }: Pick<PeopleExportProps, 'project' | 'question'>) {
  const trpc = useTrpc();
  const client = useQueryClient();
  const { navigate } = useNavigate();
  const text = usePart(peopleWords);
  const fileName = useTableFileName();
  const ask = useMutation(trpc.explorer.askPeopleExport.mutationOptions());
  const start = async () => {
    const { after: _, ...asked } = peopleInput(project, question);
    await ask.mutateAsync(asked);
    await client.invalidateQueries({ queryKey: trpc.explorer.exports.queryKey({ project }) });
    showToast(text.exportAsked);
    navigate(exportsOf(project));
  };
  return (
    <>
      <Button
        small
        icon="intake"
        className="script-only"
        busy={ask.isPending && text.exportAsking}
        onClick={() => void start().catch(() => undefined)}
      >
        {text.exportLater(fileName)}
      </Button>
      <FormError>{ask.error && <ErrorMessage error={ask.error} />}</FormError>
    </>
  );
}
