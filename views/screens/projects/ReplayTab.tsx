/** Settings of session replay: what is recorded and masked, how long it is kept, who may watch; and what recordings take. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { replayMaskings, replayModes } from '#src/projects/replay/values.ts';
import { Callout } from '#views/kit/Callout.tsx';
import { SelectField, TextField } from '#views/kit/Field.tsx';
import { useTrpc } from '#views/trpc.ts';
import { bytesText } from '#views/words/bytes.ts';
import { replaySettingsWords } from '#views/words/replay-settings.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import type { ReplayValues } from './replay-form.ts';
import { type Editing, ListField, Section, Switch } from './SettingsParts.tsx';
import css from './settings.module.css';

export interface ReplayTabProps extends Editing {
  project: string;
  timeZone: string;
}

export function ReplayTab({ project, timeZone, ...editing }: ReplayTabProps) {
  const { values, set } = editing;
  const part = usePart(replaySettingsWords);
  const isOn = values.replayMode !== 'off';
  return (
    <>
      <Section title={part.what} text={part.whatText}>
        <SelectField
          label={part.mode}
          hint={part.modeHints[values.replayMode]}
          name="replayMode"
          value={values.replayMode}
          onChange={({ target }) => set('replayMode', target.value as ReplayValues['replayMode'])}
        >
          {replayModes.map((mode) => (
            <option key={mode} value={mode}>
              {part.modes[mode]}
            </option>
          ))}
        </SelectField>
        {isOn && <What {...editing} />}
      </Section>
      {isOn && (
        <>
          <Section title={part.privacy} text={part.privacyText}>
            <Masking {...editing} />
          </Section>
          <Section title={part.pages} text={part.pagesText}>
            <List {...editing} name="replayOnly" />
            <List {...editing} name="replayNever" />
          </Section>
        </>
      )}
      <Section title={part.keeping} text={part.keepingText}>
        <div className={css['pair']}>
          <NumberField {...editing} name="replayRetention" />
          <NumberField {...editing} name="replayBudget" />
        </div>
        <Usage project={project} timeZone={timeZone} />
      </Section>
      <Section title={part.watching} text={part.watchingText}>
        <Toggle {...editing} name="replayViewers" />
      </Section>
    </>
  );
}

function What(editing: Editing) {
  const { replayMode } = editing.values;
  return (
    <>
      {replayMode !== 'all' && <NumberField {...editing} name="replaySample" />}
      {replayMode === 'problems' && <List {...editing} name="replayEvents" />}
      <NumberField {...editing} name="replaySeconds" />
      <div className={css['switches']}>
        <Toggle {...editing} name="replayConsole" />
        <Toggle {...editing} name="replayNetwork" />
      </div>
    </>
  );
}

function Masking(editing: Editing) {
  const { values, set } = editing;
  const part = usePart(replaySettingsWords);
  return (
    <>
      <SelectField
        label={part.masking}
        hint={part.maskingHints[values.replayMasking]}
        name="replayMasking"
        value={values.replayMasking}
        onChange={({ target }) => set('replayMasking', target.value as ReplayValues['replayMasking'])}
      >
        {replayMaskings.map((masking) => (
          <option key={masking} value={masking}>
            {part.maskings[masking]}
          </option>
        ))}
      </SelectField>
      {values.replayMasking === 'inputs' && <List {...editing} name="replayMask" />}
      <List {...editing} name="replayBlock" />
    </>
  );
}

type NumberName = 'replaySample' | 'replaySeconds' | 'replayRetention' | 'replayBudget';
type ToggleName = 'replayConsole' | 'replayNetwork' | 'replayViewers';
type ListName = 'replayEvents' | 'replayMask' | 'replayBlock' | 'replayOnly' | 'replayNever';

function NumberField({ name, values, fieldErrors, set }: Editing & { name: NumberName }) {
  const part = usePart(replaySettingsWords);
  return (
    <TextField
      label={part.fields[name].label}
      hint={part.fields[name].hint}
      error={fieldErrors[name]}
      name={name}
      inputMode="decimal"
      value={values[name]}
      onChange={({ target }) => set(name, target.value)}
      autoComplete="off"
      maxLength={8}
    />
  );
}

function List({ name, values, fieldErrors, set }: Editing & { name: ListName }) {
  const part = usePart(replaySettingsWords);
  return (
    <ListField
      label={part.fields[name].label}
      hint={part.fields[name].hint}
      error={fieldErrors[name]}
      name={name}
      value={values[name]}
      onChange={(text) => set(name, text)}
    />
  );
}

function Toggle({ name, values, set }: Editing & { name: ToggleName }) {
  const part = usePart(replaySettingsWords);
  return <Switch {...part.fields[name]} name={name} checked={values[name]} onChange={(on) => set(name, on)} />;
}

/** What recordings take, and when the budget is used up. */
function Usage({ project, timeZone }: { project: string; timeZone: string }) {
  const trpc = useTrpc();
  const part = usePart(replaySettingsWords);
  const { format } = useWords();
  const { data } = useSuspenseQuery(trpc.replays.usage.queryOptions({ project }));
  const { bytes, budgetBytes, sessions, bytesPerDay, fullAt, state, dropped } = data;
  if (sessions === 0) return <p className={css['note']}>{part.none}</p>;
  const size = (value: number) => bytesText(value, format);
  return (
    <div>
      <p>{part.used(size(bytes), size(budgetBytes), format.percent(bytes / budgetBytes))}</p>
      <p className={css['dim']}>
        {part.perDay(format.number(sessions), size(bytesPerDay))}{' '}
        {fullAt === null ? part.enough : part.fullAt(format.span(fullAt, fullAt, timeZone))}
      </p>
      {state !== 'fine' && <Callout tone="warn">{part.states[state]}</Callout>}
      {dropped > 0 && <p className={css['dim']}>{part.dropped(dropped, format.number(dropped))}</p>}
    </div>
  );
}
