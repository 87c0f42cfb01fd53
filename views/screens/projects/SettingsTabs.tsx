/** The fields of the settings, by tab. */

import { MAX_SHOWN_NAME_LENGTH } from '#src/kit/values.ts';
import { Explained } from '#views/explain/Explained.tsx';
import { Callout } from '#views/kit/Callout.tsx';
import { SelectField, TextField } from '#views/kit/Field.tsx';
import { Link } from '#views/kit/Link.tsx';
import { TimeZoneField } from '#views/kit/TimeZoneField.tsx';
import { useKnown } from '#views/known.ts';
import { useTrpc } from '#views/trpc.ts';
import { settingsWords } from '#views/words/settings.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { type Editing, Lists, Section, Switches } from './SettingsParts.tsx';
import css from './settings.module.css';

export function General({ values, draft, fieldErrors, set }: Editing) {
  const part = usePart(settingsWords);
  return (
    <Section title={part.project} text={part.projectText}>
      <TextField
        label={part.name}
        error={fieldErrors.name}
        name="name"
        value={values.name}
        onChange={({ target }) => set('name', target.value)}
        autoComplete="off"
        maxLength={MAX_SHOWN_NAME_LENGTH}
      />
      <div className={css['pair']}>
        <TimeZoneField
          label={part.timeZone}
          hint={part.timeZoneHint}
          error={fieldErrors.timeZone}
          value={values.timeZone}
          onChange={(zone) => set('timeZone', zone)}
        />
        <SelectField
          label={part.weekStart}
          name="weekStart"
          value={values.weekStart}
          onChange={({ target }) => set('weekStart', target.value === '0' ? '0' : '1')}
        >
          <option value="1">{part.monday}</option>
          <option value="0">{part.sunday}</option>
        </SelectField>
      </div>
      {draft.timeZone !== undefined && fieldErrors.timeZone === undefined && (
        <Callout tone="warn">{part.timeZoneChanged}</Callout>
      )}
      <SelectField
        label={part.decimal}
        hint={part.decimalHint}
        name="decimalSeparator"
        value={values.decimalSeparator}
        onChange={({ target }) => set('decimalSeparator', target.value === 'comma' ? 'comma' : 'point')}
      >
        <option value="point">{part.decimalOptions.point}</option>
        <option value="comma">{part.decimalOptions.comma}</option>
      </SelectField>
      <TextField
        label={part.bounce}
        hint={part.bounceHint}
        error={fieldErrors.bounceSeconds}
        name="bounceSeconds"
        inputMode="numeric"
        value={values.bounceSeconds}
        onChange={({ target }) => set('bounceSeconds', target.value)}
        autoComplete="off"
        maxLength={4}
      />
    </Section>
  );
}

export function Collection(editing: Editing) {
  const { values, set } = editing;
  const part = usePart(settingsWords);
  return (
    <>
      <Section title={part.senders} text={part.sendersText}>
        <Lists section="senders" editing={editing} />
      </Section>
      <Section title={part.capture} text={part.captureText}>
        <Switches section="capture" editing={editing} />
      </Section>
      <Section title={part.leftOut} text={part.leftOutText}>
        <SelectField
          label={part.bots}
          hint={part.botsHint[values.bots]}
          name="bots"
          value={values.bots}
          onChange={({ target }) => set('bots', target.value === 'dropped' ? 'dropped' : 'flagged')}
        >
          <option value="flagged">{part.botsOptions.flagged}</option>
          <option value="dropped">{part.botsOptions.dropped}</option>
        </SelectField>
      </Section>
      <Section title={part.own} text={part.ownText}>
        <Lists section="own" editing={editing} />
      </Section>
      <Section title={part.origin} text={part.originText}>
        <Lists section="origin" editing={editing} />
      </Section>
    </>
  );
}

/** Offered; one that was set otherwise is offered too. */
const RETENTIONS = [30, 90, 180, 365, 730, 1_825];

export function Privacy({ project, timeZone, ...editing }: Editing & { project: string; timeZone: string }) {
  const { values, draft, set } = editing;
  const part = usePart(settingsWords);
  const { format } = useWords();
  const days = values.retentionDays === '' ? null : Number(values.retentionDays);
  const offered = days === null || RETENTIONS.includes(days) ? RETENTIONS : [...RETENTIONS, days].sort((a, b) => a - b);
  const nameOf = (each: number) =>
    each % 365 === 0 ? part.years(each / 365, format.number(each / 365)) : part.days(format.number(each));
  return (
    <>
      <Section title={part.visitors} text={part.visitorsText}>
        <SelectField
          label={part.ip}
          hint={part.ipHint[values.ipHandling]}
          name="ipHandling"
          value={values.ipHandling}
          onChange={({ target }) => set('ipHandling', target.value as typeof values.ipHandling)}
        >
          {(['none', 'truncated', 'full'] as const).map((each) => (
            <option key={each} value={each}>
              {part.ipOptions[each]}
            </option>
          ))}
        </SelectField>
        <Switches section="visitors" editing={editing} />
        <Lists section="visitors" editing={editing} />
      </Section>
      <Section title={part.retention} text={part.retentionText}>
        <SelectField
          label={part.keep}
          name="retentionDays"
          value={values.retentionDays}
          onChange={({ target }) => set('retentionDays', target.value)}
        >
          <option value="">{part.forever}</option>
          {offered.map((each) => (
            <option key={each} value={each}>
              {nameOf(each)}
            </option>
          ))}
        </SelectField>
        {draft.retentionDays !== undefined && days !== null && (
          <WillDelete project={project} days={days} timeZone={timeZone} />
        )}
      </Section>
      <Section title={part.requests} text={part.requestsText}>
        <p>
          <Link className="link" href={`/project/${project}/privacy`}>
            {part.toRequests}
          </Link>
        </p>
      </Section>
    </>
  );
}

/** Said before it is saved. */
function WillDelete({ project, days, timeZone }: { project: string; days: number; timeZone: string }) {
  const trpc = useTrpc();
  const part = usePart(settingsWords);
  const { format } = useWords();
  const { data } = useKnown(trpc.events.stored.queryOptions({ project, olderThanDays: days }));
  if (data === undefined) return null;
  if (data.events === 0) return <p className={css['note']}>{part.willDeleteNone}</p>;
  return (
    <div>
      <Callout tone="neg">{part.willDelete(data.events, format.number(data.events))}</Callout>
      <Explained asked={{ screen: 'stored', project, olderThanDays: days }} timeZone={timeZone} />
    </div>
  );
}
