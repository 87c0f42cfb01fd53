/** Rules of errors: what belongs together, and what is not wanted. */
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { mayCall } from '#src/accounts/values.ts';
import type { ErrorRules, RuleCondition } from '#src/errors/rules/contract.ts';
import { useRoleIn } from '#views/frame/queries.ts';
import { Button } from '#views/kit/Button.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useTrpc } from '#views/trpc.ts';
import { errorRuleWords } from '#views/words/error-rules.ts';
import { usePart } from '#views/words/words.tsx';
import { RuleEditor } from './RuleEditor.tsx';
import css from './Rules.module.css';
import { newRule, type RuleDraft, type RuleKind, startOf, withRule } from './rule-draft.ts';

export function Rules({ project, search }: { project: string; search: URLSearchParams }) {
  const own = usePart(errorRuleWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const { data: rules } = useSuspenseQuery(trpc.errors.rules.queryOptions({ project }));
  const isMaker = mayCall('errors.change', useRoleIn(project).role);
  const [open, setOpen] = useState<RuleDraft | null>(() => (isMaker ? startOf(search) : null));
  const save = useMutation(trpc.errors.saveRules.mutationOptions());
  const keep = async (change: Partial<ErrorRules>) => {
    try {
      await save.mutateAsync({ project, ...change });
      showToast(own.saved);
      setOpen(null);
    } catch {
      showToast(own.failed);
    }
    await client.invalidateQueries({ queryKey: trpc.errors.pathKey() });
  };
  const parts = { project, rules, open, isMaker, isSaving: save.isPending, keep, setOpen };
  return (
    <div className={css['rules']}>
      <RuleList {...parts} kind="grouping" />
      <RuleList {...parts} kind="suppression" />
    </div>
  );
}

interface RuleListProps {
  project: string;
  kind: RuleKind;
  rules: ErrorRules;
  open: RuleDraft | null;
  isMaker: boolean;
  isSaving: boolean;
  keep(change: Partial<ErrorRules>): Promise<void>;
  setOpen(draft: RuleDraft | null): void;
}

function RuleList({ project, kind, rules, open, isMaker, isSaving, keep, setOpen }: RuleListProps) {
  const own = usePart(errorRuleWords);
  const drafts = draftsOf(rules, kind);
  const editor = open !== null && open.kind === kind && (
    <RuleEditor
      key={open.id}
      project={project}
      start={open}
      isSaving={isSaving}
      onSave={(draft) => void keep(withRule(rules, draft))}
      onCancel={() => setOpen(null)}
    />
  );
  const without = (id: string | null): Partial<ErrorRules> =>
    kind === 'grouping'
      ? { groupingRules: rules.groupingRules.filter((rule) => rule.id !== id) }
      : { suppressionRules: rules.suppressionRules.filter((rule) => rule.id !== id) };
  return (
    <section aria-labelledby={`rules-${kind}`}>
      <h2 id={`rules-${kind}`}>{own[kind]}</h2>
      <p className="dim">{own[`${kind}Text`]}</p>
      {drafts.length === 0 && !editor && <p>{own.none}</p>}
      <ol className={css['list']}>
        {drafts.map((draft) => (
          <li key={draft.id}>
            {open?.id === draft.id && editor ? (
              editor
            ) : (
              <Rule
                draft={draft}
                isMaker={isMaker}
                edit={() => setOpen(draft)}
                remove={() => void keep(without(draft.id))}
              />
            )}
          </li>
        ))}
      </ol>
      {open?.id === null && editor}
      {isMaker && !editor && (
        <Button small icon="plus" className="script-only" onClick={() => setOpen(newRule(kind))}>
          {own.add}
          <span className="visually-hidden">: {own[kind]}</span>
        </Button>
      )}
    </section>
  );
}

interface RuleProps {
  draft: RuleDraft;
  isMaker: boolean;
  edit(): void;
  remove(): void;
}

function Rule({ draft, isMaker, edit, remove }: RuleProps) {
  const own = usePart(errorRuleWords);
  const text = draft.of
    .map((condition) => conditionText(condition, own))
    .join(` ${draft.match === 'all' ? own.and : own.or} `);
  const name = draft.kind === 'grouping' ? draft.name : text;
  return (
    <div className={css['rule']}>
      <div>
        {draft.kind === 'grouping' && <b>{draft.name}</b>}
        <p className="dim">
          {text}
          {draft.kind === 'grouping' && ` → ${own.results[draft.by]}`}
        </p>
      </div>
      {isMaker && (
        <div className={css['buttons']}>
          <Button small kind="quiet" className="script-only" aria-label={own.editNamed(name)} onClick={edit}>
            {own.edit}
          </Button>
          <Button small kind="quiet" className="script-only" aria-label={own.removeNamed(name)} onClick={remove}>
            {own.remove}
          </Button>
        </div>
      )}
    </div>
  );
}

function conditionText({ field, operator, value }: RuleCondition, own: (typeof errorRuleWords)['en']): string {
  return `${own.fields[field]} ${own.operators[operator]} “${value}”`;
}

function draftsOf({ groupingRules, suppressionRules }: ErrorRules, kind: RuleKind): RuleDraft[] {
  if (kind === 'grouping') return groupingRules.map((rule) => ({ kind, ...rule }));
  return suppressionRules.map((rule) => ({ kind, name: '', by: 'one', ...rule }));
}
