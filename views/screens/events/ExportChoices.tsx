/** Ways to take along what the explorer shows: at once, or as a file that is made in the background. */
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import type { ExportFormat } from '#src/explorer/contract.ts';
import { MAX_AT_ONCE } from '#src/explorer/values.ts';
import { Boundary } from '#views/boundary.tsx';
import { exportsOf } from '#views/frame/addresses.ts';
import { useTableFileName } from '#views/frame/queries.ts';
import { Button } from '#views/kit/Button.tsx';
import { ErrorMessage } from '#views/kit/ErrorMessage.tsx';
import { FormError } from '#views/kit/Field.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { OptionGroup, optionClass } from '#views/kit/Popover.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useNavigate } from '#views/navigation.tsx';
import type { ExplorerState } from '#views/question/explorer-address.ts';
import { useTrpc } from '#views/trpc.ts';
import { eventListWords } from '#views/words/event-lists.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './ExportChoices.module.css';
import { exploredInput, exportHref, exportInput } from './explorer-inputs.ts';

/** As the server has it (src/explorer/contract.ts). */
const formats: readonly ExportFormat[] = ['csv', 'ndjson'];

export interface ExportChoicesProps {
  reference: string;
  explored: ExplorerState;
}

export function ExportChoices({ reference, explored }: ExportChoicesProps) {
  const text = usePart(eventListWords);
  return (
    <div className={css['menu']}>
      <OptionGroup title={text.now}>
        <Boundary of="now" fallback={() => <Now reference={reference} explored={explored} />}>
          <Late>
            <NowIfFew reference={reference} explored={explored} />
          </Late>
        </Boundary>
      </OptionGroup>
      <Later reference={reference} explored={explored} />
    </div>
  );
}

function NowIfFew({ reference, explored }: ExportChoicesProps) {
  const trpc = useTrpc();
  const { format } = useWords();
  const text = usePart(eventListWords);
  const { data } = useSuspenseQuery({
    ...trpc.explorer.count.queryOptions(exploredInput(reference, explored)),
    retry: false,
  });
  if (data.events !== null && data.events > MAX_AT_ONCE) {
    return <p className={css['note']}>{text.tooMany(format.number(MAX_AT_ONCE))}</p>;
  }
  return <Now reference={reference} explored={explored} />;
}

function Now({ reference, explored }: ExportChoicesProps) {
  const text = usePart(eventListWords);
  const fileName = useTableFileName();
  return formats.map((format) => (
    <a key={format} href={exportHref(reference, explored, format)} download className={optionClass()}>
      {format === 'csv' ? text.table(fileName) : text[format]}
    </a>
  ));
}

function Later({ reference, explored }: ExportChoicesProps) {
  const trpc = useTrpc();
  const client = useQueryClient();
  const { navigate } = useNavigate();
  const text = usePart(eventListWords);
  const fileName = useTableFileName();
  const ask = useMutation(trpc.explorer.askExport.mutationOptions());
  const start = async (format: ExportFormat) => {
    await ask.mutateAsync(exportInput(reference, explored, format));
    await client.invalidateQueries({ queryKey: trpc.explorer.exports.queryKey({ project: reference }) });
    showToast(text.asked);
    navigate(exportsOf(reference));
  };
  return (
    <OptionGroup title={text.later}>
      <p className={css['note']}>{text.laterHint}</p>
      <p className={`${css['buttons']} script-only`}>
        {formats.map((format) => (
          <Button
            key={format}
            small
            busy={ask.isPending && ask.variables.format === format && text.asking}
            onClick={() => void start(format).catch(() => undefined)}
          >
            {format === 'csv' ? fileName : format.toUpperCase()}
          </Button>
        ))}
      </p>
      <FormError>{ask.error && <ErrorMessage error={ask.error} />}</FormError>
      <Link href={exportsOf(reference)} className={optionClass()}>
        {text.toExports}
      </Link>
    </OptionGroup>
  );
}
