/** One rule of errors: its conditions, and meanwhile what they match. */

import { useEffect, useState } from 'react';
import {
  groupingResults,
  MAX_RULE_CONDITIONS,
  MAX_RULE_VALUE,
  ruleFields,
  ruleOperators,
  suppressionFields,
} from '#src/errors/rules/values.ts';
import { issueOf } from '#views/frame/addresses.ts';
import { Button } from '#views/kit/Button.tsx';
import { SelectField, TextField } from '#views/kit/Field.tsx';
import { issueName } from '#views/kit/issue-name.ts';
import { Link } from '#views/kit/Link.tsx';
import { Select } from '#views/kit/Select.tsx';
import { useKnown } from '#views/known.ts';
import { useTrpc } from '#views/trpc.ts';
import { errorRuleWords } from '#views/words/error-rules.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Rules.module.css';
import { conditionsOf, type RuleDraft } from './rule-draft.ts';

interface RuleEditorProps {
  project: string;
  start: RuleDraft;
  isSaving: boolean;
  onSave(draft: RuleDraft): void;
  onCancel(): void;
}

export function RuleEditor({ project, start, isSaving, onSave, onCancel }: RuleEditorProps) {
  const own = usePart(errorRuleWords);
  const [draft, setDraft] = useState(start);
  const [isChecked, setChecked] = useState(false);
  const change = (over: Partial<RuleDraft>) => setDraft((before) => ({ ...before, ...over }));
  const isNamed = draft.kind === 'suppression' || draft.name.trim() !== '';
  const isComplete = isNamed && conditionsOf(draft) !== null;
  return (
    <form
      className={css['editor']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setChecked(true);
        if (isComplete) onSave(draft);
      }}
    >
      {draft.kind === 'grouping' && (
        <TextField
          label={own.name}
          name="name"
          value={draft.name}
          maxLength={100}
          autoComplete="off"
          error={isChecked && !isNamed ? own.missing : undefined}
          onChange={({ target }) => change({ name: target.value })}
        />
      )}
      <Conditions draft={draft} change={change} isChecked={isChecked} />
      {draft.kind === 'grouping' && (
        <SelectField
          label={own.by}
          value={draft.by}
          onChange={({ target }) => change({ by: target.value as RuleDraft['by'] })}
        >
          {groupingResults.map((result) => (
            <option key={result} value={result}>
              {own.results[result]}
            </option>
          ))}
        </SelectField>
      )}
      <Preview project={project} draft={draft} />
      <div className={css['buttons']}>
        <Button type="submit" kind="primary" busy={isSaving && own.saving}>
          {own.save}
        </Button>
        <Button onClick={onCancel}>{own.cancel}</Button>
      </div>
    </form>
  );
}

interface ConditionsProps {
  draft: RuleDraft;
  isChecked: boolean;
  change(over: Partial<RuleDraft>): void;
}

function Conditions({ draft, isChecked, change }: ConditionsProps) {
  const own = usePart(errorRuleWords);
  const { of, match, kind } = draft;
  const fields = kind === 'grouping' ? ruleFields : suppressionFields;
  const set = (at: number, over: Partial<RuleDraft['of'][number]>) =>
    change({ of: of.map((condition, index) => (index === at ? { ...condition, ...over } : condition)) });
  return (
    <fieldset className={css['conditions']}>
      <legend>{own.conditions}</legend>
      {of.map(({ field, operator, value }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: conditions are in their order
        <div key={at} className={css['condition']}>
          <Select
            className="input"
            aria-label={own.field}
            value={field}
            onChange={({ target }) => set(at, { field: target.value as typeof field })}
          >
            {fields.map((each) => (
              <option key={each} value={each}>
                {own.fields[each]}
              </option>
            ))}
          </Select>
          <Select
            className="input"
            aria-label={own.operator}
            value={operator}
            onChange={({ target }) => set(at, { operator: target.value as typeof operator })}
          >
            {ruleOperators.map((each) => (
              <option key={each} value={each}>
                {own.operators[each]}
              </option>
            ))}
          </Select>
          <input
            className="input mono"
            aria-label={own.value}
            aria-invalid={(isChecked && value.trim() === '') || undefined}
            value={value}
            maxLength={MAX_RULE_VALUE}
            autoComplete="off"
            onChange={({ target }) => set(at, { value: target.value })}
          />
          {of.length > 1 && (
            <Button
              small
              kind="quiet"
              icon="x"
              iconOnly
              aria-label={own.removeCondition}
              onClick={() => change({ of: of.filter((_, index) => index !== at) })}
            />
          )}
        </div>
      ))}
      <div className={css['buttons']}>
        {of.length < MAX_RULE_CONDITIONS && (
          <Button
            small
            icon="plus"
            onClick={() => change({ of: [...of, { field: 'message', operator: 'contains', value: '' }] })}
          >
            {own.addCondition}
          </Button>
        )}
        {of.length > 1 && (
          <Select
            className="input"
            aria-label={own.match}
            value={match}
            onChange={({ target }) => change({ match: target.value as typeof match })}
          >
            <option value="all">{own.matches.all}</option>
            <option value="any">{own.matches.any}</option>
          </Select>
        )}
      </div>
    </fieldset>
  );
}

/** While someone types, nothing is asked. */
const WAIT_MS = 400;

function Preview({ project, draft }: { project: string; draft: RuleDraft }) {
  const own = usePart(errorRuleWords);
  const { format } = useWords();
  const of = conditionsOf(draft);
  const text = of && JSON.stringify({ match: draft.match, of, ...(draft.kind === 'grouping' && { by: draft.by }) });
  const [settled, setSettled] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), WAIT_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const asked = settled === null ? null : JSON.parse(settled);
  const { data } = useKnown({
    ...useTrpc().errors.previewRule.queryOptions({ project, match: 'all', of: [], ...asked }),
    enabled: asked !== null,
    retry: false,
    placeholderData: (before) => before,
  });
  return (
    <section aria-label={own.preview} className={css['preview']}>
      <h3>{own.preview}</h3>
      {asked === null || data === undefined ? (
        <p className="dim">{own.previewWait}</p>
      ) : (
        <>
          <p role="status">
            {data.matching === 0
              ? own.previewNone(data.looked, format.number(data.looked))
              : own.previewMatches(data.matching, format.number(data.matching), format.number(data.events))}{' '}
            {data.matching > 0 &&
              draft.kind === 'grouping' &&
              own.previewBecomes(data.becomes, format.number(data.becomes))}
          </p>
          <ul>
            {data.issues.map((issue) => (
              <li key={issue.id}>
                <Link href={issueOf(project, issue.id)}>{issueName(issue)}</Link>{' '}
                <span className="dim num">{format.number(issue.events)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
