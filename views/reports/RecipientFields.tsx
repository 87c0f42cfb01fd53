/** To whom a report is sent: members, and addresses that confirm first. */
import { useSuspenseQuery } from '@tanstack/react-query';
import type { Report } from '#src/reports/contract.ts';
import { MAX_RECIPIENTS } from '#src/reports/values.ts';
import { Button } from '#views/kit/Button.tsx';
import { CheckField, SelectField, TextField } from '#views/kit/Field.tsx';
import { useTrpc } from '#views/trpc.ts';
import { reportWords } from '#views/words/reports.ts';
import { usePart } from '#views/words/words.tsx';
import css from './Reports.module.css';
import { type Draft, withTyped } from './report-draft.ts';

interface RecipientFieldsProps {
  project: string;
  report: Report | null;
  draft: Draft;
  /** The typed address was found to be none. */
  isWrong: boolean;
  onWrong(isWrong: boolean): void;
  onChange(over: Partial<Draft>): void;
}

export function RecipientFields({ project, report, ...fields }: RecipientFieldsProps) {
  const { draft, onChange } = fields;
  const own = usePart(reportWords);
  const { data: members } = useSuspenseQuery(useTrpc().reports.members.queryOptions({ project }));
  const stateOf = (address: string): string =>
    own.states[report?.recipients.find((each) => each.address === address)?.state ?? 'unconfirmed'];
  return (
    <>
      <fieldset className={css['group']}>
        <legend>{own.members}</legend>
        <div className={css['members']}>
          {members.map(({ id, name }) => (
            <CheckField
              key={id}
              label={name}
              checked={draft.members.includes(id)}
              onChange={({ target }) => {
                const others = draft.members.filter((each) => each !== id);
                onChange({ members: target.checked ? [...others, id] : others });
              }}
            />
          ))}
        </div>
      </fieldset>
      <fieldset className={css['group']}>
        <legend>{own.addresses}</legend>
        <p className="dim">{own.addressesHint}</p>
        {draft.addresses.map(({ address }) => (
          <div key={address} className={css['address']}>
            <span>
              {address} <span className="dim">{stateOf(address)}</span>
            </span>
            <Button
              small
              kind="quiet"
              icon="x"
              iconOnly
              aria-label={own.remove(address)}
              onClick={() => onChange({ addresses: draft.addresses.filter((each) => each.address !== address) })}
            />
          </div>
        ))}
        {draft.addresses.length + draft.members.length < MAX_RECIPIENTS && <NewAddress {...fields} />}
      </fieldset>
    </>
  );
}

/** Saving the report adds what is typed as well. */
function NewAddress({ draft, isWrong, onWrong, onChange }: Omit<RecipientFieldsProps, 'project' | 'report'>) {
  const own = usePart(reportWords);
  function add(): void {
    const added = draft.typed.trim() === '' ? null : withTyped(draft);
    onWrong(added === null);
    if (added !== null) onChange(added);
  }
  return (
    <div className={css['row']}>
      <TextField
        label={own.address}
        type="email"
        value={draft.typed}
        error={isWrong && own.invalidAddress}
        maxLength={254}
        onChange={({ target }) => onChange({ typed: target.value })}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          add();
        }}
      />
      <SelectField
        label={own.language}
        value={draft.typedLanguage}
        onChange={({ target }) => onChange({ typedLanguage: target.value === 'pt-BR' ? 'pt-BR' : 'en' })}
      >
        <option value="en" lang="en">
          English
        </option>
        <option value="pt-BR" lang="pt-BR">
          Português (Brasil)
        </option>
      </SelectField>
      <Button className={css['add']} onClick={add}>
        {own.add}
      </Button>
    </div>
  );
}
