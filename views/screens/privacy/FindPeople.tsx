/** Finds a person by an address or id; exports or erases what is stored about them. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ExportFormat, FoundPerson, PeopleSearchResult } from '#src/privacy/contract.ts';
import { personOf } from '#views/frame/addresses.ts';
import { useTableFileName } from '#views/frame/queries.ts';
import { AskFirst } from '#views/kit/AskFirst.tsx';
import { Button } from '#views/kit/Button.tsx';
import { ErrorMessage } from '#views/kit/ErrorMessage.tsx';
import { FormError, TextField } from '#views/kit/Field.tsx';
import { Link } from '#views/kit/Link.tsx';
import { useProof } from '#views/kit/ProofDialog.tsx';
import records from '#views/kit/Records.module.css';
import { ScriptedForm } from '#views/kit/ScriptedForm.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useForm } from '#views/kit/use-form.ts';
import { useTrpc } from '#views/trpc.ts';
import { privacyWords } from '#views/words/privacy.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import css from './privacy.module.css';

export interface FindPeopleProps {
  project: string;
  timeZone: string;
  mayErase: boolean;
  found: PeopleSearchResult | null;
  onFound(found: PeopleSearchResult): void;
}

export function FindPeople({ project, timeZone, mayErase, found, onFound }: FindPeopleProps) {
  const text = usePart(privacyWords);
  const { format } = useWords();
  const trpc = useTrpc();
  const find = useMutation(trpc.privacy.find.mutationOptions());
  const form = useForm<'search'>({
    check: ({ search }) => (search.trim() === '' ? { search: text.searchMissing } : {}),
    send: async ({ search }) => onFound(await find.mutateAsync({ project, search })),
  });
  const receipts = found?.receipts.length ?? 0;
  return (
    <>
      <ScriptedForm form={form} className={css['find']} autoComplete="off">
        <TextField
          label={text.search}
          hint={text.searchHint}
          error={form.errors.search}
          name="search"
          maxLength={400}
          spellCheck={false}
          autoCapitalize="off"
          required
        />
        <Button type="submit" icon="search" busy={form.busy && text.finding}>
          {text.find}
        </Button>
      </ScriptedForm>
      <FormError>{find.error && <ErrorMessage error={find.error} />}</FormError>
      <div role="status">
        {found !== null && found.people.length === 0 && <p>{text.nobody}</p>}
        {receipts > 0 && <p className={records['note']}>{text.receiptsFound(receipts, format.number(receipts))}</p>}
      </div>
      {found !== null && found.people.length > 0 && (
        <ul className={records['list']}>
          {found.people.map((person) => (
            <PersonRow key={person.uuid} project={project} person={person} timeZone={timeZone} mayErase={mayErase} />
          ))}
        </ul>
      )}
    </>
  );
}

interface PersonRowProps {
  project: string;
  person: FoundPerson;
  timeZone: string;
  mayErase: boolean;
}

function PersonRow({ project, person, timeZone, mayErase }: PersonRowProps) {
  const text = usePart(privacyWords);
  const { format } = useWords();
  const fileName = useTableFileName();
  const trpc = useTrpc();
  const client = useQueryClient();
  const take = useMutation(trpc.privacy.export.mutationOptions());
  const erase = useMutation(trpc.privacy.erase.mutationOptions());
  const { prove, dialog } = useProof();
  const [asked, setAsked] = useState<'no' | 'erase' | 'done'>('no');
  const { uuid, label, distinctIds, moreIds, createdAt } = person;
  const name = label ?? distinctIds[0] ?? text.anonymous;
  const refresh = () => client.invalidateQueries({ queryKey: trpc.privacy.overview.queryKey({ project }) });
  const download = async (format: ExportFormat) => {
    const { id } = await take.mutateAsync({ project, person: uuid });
    // A link that downloads, since a navigation may be asked for twice (by the browser, ahead of the service worker).
    const link = document.createElement('a');
    link.href = `/api/exports/${encodeURIComponent(project)}/${id}?format=${format}`;
    link.download = '';
    link.click();
    await refresh();
  };
  const ids = distinctIds.length + moreIds;
  return (
    <li className={records['entry']}>
      <p className={records['name']}>
        <Link href={personOf(project, uuid)}>{name}</Link>
      </p>
      <p className={records['note']}>
        {text.firstSeen(format.day(dateIn(createdAt, timeZone), 0))} · {text.ids(ids, format.number(ids))}:{' '}
        <span className="mono">{distinctIds.join(', ')}</span>
        {moreIds > 0 && ` ${text.moreIds(format.number(moreIds))}`}
      </p>
      {asked !== 'done' && (
        <div className={css['buttons']}>
          {(['ndjson', 'csv'] as const).map((each) => (
            <Button
              key={each}
              small
              busy={take.isPending && text.preparing}
              onClick={() => void download(each).catch(() => undefined)}
            >
              {each === 'csv' ? text.downloadTable(fileName) : text.download}
            </Button>
          ))}
          {mayErase && (
            <Button
              small
              className={records['danger']}
              aria-label={text.eraseNamed(name)}
              onClick={() => setAsked('erase')}
            >
              {text.erase}
            </Button>
          )}
        </div>
      )}
      {!mayErase && <p className={records['note']}>{text.onlyAdmins}</p>}
      <FormError>{take.error && <ErrorMessage error={take.error} />}</FormError>
      {asked === 'erase' && (
        <AskFirst
          title={text.eraseTitle(name)}
          text={text.eraseText}
          action={text.erase}
          busy={text.erasing}
          onConfirm={async () => {
            const done = await prove(() => erase.mutateAsync({ project, person: uuid }));
            if (done === undefined) return;
            await refresh();
            showToast(text.eraseAsked);
            setAsked('done');
          }}
          onClose={() => setAsked((before) => (before === 'done' ? before : 'no'))}
        />
      )}
      {dialog}
    </li>
  );
}
