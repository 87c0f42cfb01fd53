/** Settings of how pages, hosts and channels are read, and what they would change before they are saved. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReadingPreview } from '#src/insights/reading/contract.ts';
import type { ReadingChange } from '#src/projects/contract.ts';
import { Button } from '#views/kit/Button.tsx';
import { DataTable } from '#views/kit/DataTable.tsx';
import { ErrorMessage } from '#views/kit/ErrorMessage.tsx';
import { TextField } from '#views/kit/Field.tsx';
import { Late } from '#views/kit/Late.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { useTrpc } from '#views/trpc.ts';
import { readingWords } from '#views/words/reading.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import type { ChannelRulesProps } from './ChannelRules.tsx';
import { type Editing, ListField, Section, Switch } from './SettingsParts.tsx';
import css from './settings.module.css';
import { readingChangeOf } from './settings-form.ts';

const ChannelRules = lazyPart<ChannelRulesProps>(
  'channel-rules',
  async () => (await import('#views/areas/channel-rules.ts')).ChannelRules,
);

const switches = ['trailingSlash', 'letterCase', 'indexFiles', 'ids', 'hashRoutes'] as const;

export function Reading({ values, draft, fieldErrors, set, project }: Editing & { project: string }) {
  const part = usePart(readingWords);
  return (
    <>
      <Section title={part.pages} text={part.pagesText}>
        <div className={css['switches']}>
          {switches.map((name) => (
            <Switch
              key={name}
              label={part[name]}
              hint={part[`${name}Hint`]}
              name={name}
              checked={values[name]}
              onChange={(on) => set(name, on)}
            />
          ))}
        </div>
        <ListField
          label={part.pathRules}
          hint={part.pathRulesHint}
          error={fieldErrors.pathRules}
          name="pathRules"
          value={values.pathRules}
          onChange={(text) => set('pathRules', text)}
        />
      </Section>
      <Section title={part.hosts} text={part.hostsText}>
        <TextField
          label={part.primaryHost}
          hint={part.primaryHostHint}
          error={fieldErrors.primaryHost}
          name="primaryHost"
          value={values.primaryHost}
          onChange={({ target }) => set('primaryHost', target.value)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <ListField
          label={part.otherHosts}
          hint={part.otherHostsHint}
          error={fieldErrors.otherHosts}
          name="otherHosts"
          value={values.otherHosts}
          onChange={(text) => set('otherHosts', text)}
        />
      </Section>
      <Section title={part.channels} text={part.channelsText}>
        <Late>
          <ChannelRules
            rules={values.channelRules}
            error={fieldErrors.channelRules}
            onChange={(rules) => set('channelRules', rules)}
          />
        </Late>
      </Section>
      <Section title={part.preview} text={part.previewText}>
        <Preview project={project} change={readingChangeOf(draft)} isWrong={Object.keys(fieldErrors).length > 0} />
      </Section>
    </>
  );
}

/** Preview of the changes that the rules would make; requested by the button. */
function Preview({ project, change, isWrong }: { project: string; change: ReadingChange; isWrong: boolean }) {
  const trpc = useTrpc();
  const part = usePart(readingWords);
  const [asked, setAsked] = useState<ReadingChange | null>(null);
  const isStale = asked === null || JSON.stringify(asked) !== JSON.stringify(change);
  const { data, error, isFetching } = useQuery({
    ...trpc.insights.readingPreview.queryOptions({ project, ...asked }),
    enabled: asked !== null,
  });
  return (
    <div className={css['preview']}>
      <Button onClick={() => setAsked(change)} busy={isFetching && part.previewing}>
        {part.preview}
      </Button>
      <div role="status">
        {isWrong && <p className={css['note']}>{part.fixFirst}</p>}
        {error && !isStale && <ErrorMessage error={error} />}
        {data && !isStale && !isWrong && data.every(({ changes }) => changes.length === 0) && (
          <p className={css['note']}>{part.unchanged}</p>
        )}
      </div>
      {!isStale && !isWrong && data?.map((each) => each.changes.length > 0 && <Changes key={each.of} {...each} />)}
    </div>
  );
}

function Changes({ of, events, before, after, changes, others }: ReadingPreview) {
  const part = usePart(readingWords);
  const { format } = useWords();
  const shown = (value: string) => (value === '' ? part.none : <span className="mono">{value}</span>);
  return (
    <div className={css['previewed']}>
      <h3>{part.previewed[of]}</h3>
      <p className={css['dim']}>
        {part.summary(events, format.number(events), format.number(before), format.number(after))}
      </p>
      <DataTable
        caption={part.previewed[of]}
        columns={[
          { key: 'from', head: part.from },
          { key: 'to', head: part.to },
          { key: 'count', head: part.events, isFigure: true },
        ]}
        rows={changes.map(({ from, to, count }) => ({
          key: `${from}\n${to}`,
          cells: { from: shown(from), to: shown(to), count: format.number(count) },
        }))}
      />
      {others > 0 && <p className={css['dim']}>{part.more(others, format.number(others))}</p>}
    </div>
  );
}
