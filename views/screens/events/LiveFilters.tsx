/** Filters of the stream: a chip per condition, and a form. Both work without JavaScript. */
import { type FormEvent, useState } from 'react';
import type { LiveRow } from '#src/events/contract.ts';
import { readable } from '#src/events/values.ts';
import { Button, smallButtonClass } from '#views/kit/Button.tsx';
import { Chip } from '#views/kit/Chip.tsx';
import { ComboboxField, type ComboboxFieldProps } from '#views/kit/ComboboxField.tsx';
import { SelectField, TextField } from '#views/kit/Field.tsx';
import { Icon } from '#views/kit/Icon.tsx';
import { Popover } from '#views/kit/Popover.tsx';
import { useNavigate } from '#views/navigation.tsx';
import { filterWords } from '#views/words/filters.ts';
import { liveWords } from '#views/words/live.ts';
import { usePart } from '#views/words/words.tsx';
import css from './LiveFilters.module.css';
import { type LiveQuestion, liveAddress, readLive } from './live-address.ts';
import { conditionsOf, type LiveCondition, operatorsOfConditions } from './live-conditions.ts';

export interface LiveFiltersProps {
  path: string;
  question: LiveQuestion;
  /** Options are values seen in the stream. */
  rows: readonly LiveRow[];
}

export function LiveFilters({ path, question, rows }: LiveFiltersProps) {
  const live = usePart(liveWords);
  const { operators } = usePart(filterWords);
  const operatorOf = (about: LiveCondition['about']): string =>
    about === 'who' || about === 'bots' ? live.states[about] : operators[operatorsOfConditions[about]];
  return (
    <>
      {conditionsOf(question.filter).map(({ about, value, without }) => (
        <Chip
          key={`${about} ${value}`}
          name={live.conditions[about]}
          operator={operatorOf(about)}
          value={<ConditionValue about={about} value={value} />}
          removeHref={liveAddress(path, { ...question, filter: without })}
          removeLabel={live.removeFilter}
        />
      ))}
      <Popover
        label={live.addFilter}
        hotkey="f"
        triggerClass={smallButtonClass}
        trigger={
          <>
            <Icon name="filter" small />
            {live.filter}
          </>
        }
      >
        <FilterForm path={path} question={question} rows={rows} />
      </Popover>
    </>
  );
}

function ConditionValue({ about, value }: Pick<LiveCondition, 'about' | 'value'>) {
  const live = usePart(liveWords);
  if (about === 'who') return live.who[value as keyof typeof live.who];
  if (about === 'bots') return live.bots[value as keyof typeof live.bots];
  if (about === 'countries') return value;
  return <span className="mono">{about === 'page' ? readable(value) : value}</span>;
}

function NameField(field: Pick<ComboboxFieldProps, 'label' | 'name' | 'options'>) {
  const [value, setValue] = useState('');
  return <ComboboxField {...field} mono value={value} onChange={setValue} />;
}

/** Adds typed values: event names are added to the chosen ones, other fields are replaced. */
function FilterForm({ path, question, rows }: LiveFiltersProps) {
  const live = usePart(liveWords);
  const { operators } = usePart(filterWords);
  const { navigate } = useNavigate();
  const labelOf = (about: keyof typeof operatorsOfConditions): string =>
    `${live.conditions[about]} ${operators[operatorsOfConditions[about]]}`;
  const { names = [], exceptNames = [], page, countries, who, bots } = question.filter;
  const seen = [...new Set(rows.map(({ event }) => event))].sort();

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const sent = [...new FormData(form)].map(([name, value]): [string, string] => [name, String(value)]);
    form.closest<HTMLElement>('[popover]')?.hidePopover();
    navigate(liveAddress(path, readLive(new URLSearchParams(sent))));
  };

  return (
    <form className={css['form']} method="get" action={path} onSubmit={onSubmit} key={JSON.stringify(question.filter)}>
      {names.map((name) => (
        <input key={name} type="hidden" name="name" value={name} />
      ))}
      {exceptNames.map((name) => (
        <input key={name} type="hidden" name="not" value={name} />
      ))}
      <NameField label={labelOf('names')} name="name" options={seen} />
      <NameField label={labelOf('exceptNames')} name="not" options={seen} />
      <TextField
        label={labelOf('page')}
        hint={live.pageHint}
        name="page"
        defaultValue={readable(page ?? '')}
        autoComplete="off"
      />
      <TextField
        label={live.country}
        hint={live.countryHint}
        name="country"
        defaultValue={countries?.join(', ')}
        autoComplete="off"
      />
      <SelectField label={live.person} name="who" defaultValue={who ?? ''}>
        <option value="">{live.everyone}</option>
        <option value="identified">{live.who.identified}</option>
        <option value="anonymous">{live.who.anonymous}</option>
      </SelectField>
      <SelectField label={live.conditions.bots} name="bots" defaultValue={bots ?? ''}>
        <option value="">{live.botsShown}</option>
        <option value="hide">{live.bots.hide}</option>
        <option value="only">{live.bots.only}</option>
      </SelectField>
      <Button type="submit" kind="primary" small>
        {live.apply}
      </Button>
    </form>
  );
}
