/** The project's own channels as rows: conditions, then the channel. The first rule that fits counts, so their order can be changed. */
import { useEffect, useRef, useState } from 'react';
import {
  type ChannelField,
  channelFieldNames,
  MAX_CHANNEL_CONDITIONS,
  MAX_CHANNEL_RULES,
} from '#src/kit/reading/channels/values.ts';
import { Button } from '#views/kit/Button.tsx';
import { SelectField, TextField } from '#views/kit/Field.tsx';
import { readingWords } from '#views/words/reading.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './ChannelRules.module.css';
import {
  type ChannelRuleDraft,
  type ChannelRuleErrors,
  channelErrors,
  channelInputs,
  moved,
  withNewRule,
} from './channel-rules.ts';

export interface ChannelRulesProps {
  rules: readonly ChannelRuleDraft[];
  /** Errors by rule. */
  error: string | undefined;
  onChange(rules: ChannelRuleDraft[]): void;
}

export function ChannelRules({ rules, error, onChange }: ChannelRulesProps) {
  const part = usePart(readingWords);
  const { format } = useWords();
  const box = useRef<HTMLFieldSetElement>(null);
  /** Control to focus after rows were moved or removed. */
  const [focused, setFocused] = useState<string | null>(null);
  const [said, setSaid] = useState('');
  const errors = error === undefined ? {} : channelErrors(rules);
  useEffect(() => {
    if (focused === null) return;
    box.current?.querySelector<HTMLElement>(focused)?.focus();
    setFocused(null);
  }, [focused]);

  function move(id: number, by: -1 | 1): void {
    const next = moved(rules, id, by);
    onChange(next);
    setFocused(`[data-move="${id} ${by}"]`);
    setSaid(part.movedTo(format.number(next.findIndex((each) => each.id === id) + 1)));
  }

  return (
    <fieldset ref={box} name="channelRules" className={css['rules']}>
      <legend className="visually-hidden">{part.channelRules}</legend>
      {rules.length === 0 && <p className={css['none']}>{part.noChannelRules}</p>}
      <ol className={css['list']}>
        {rules.map((rule, at) => (
          <Rule
            key={rule.id}
            rule={rule}
            number={at + 1}
            errors={errors}
            isLast={at === rules.length - 1}
            onMove={(by) => move(rule.id, by)}
            onChange={(next) => onChange(rules.map((each) => (each.id === rule.id ? next : each)))}
            onFocus={setFocused}
            onRemove={() => {
              onChange(rules.filter((each) => each.id !== rule.id));
              setFocused('[data-add-rule]');
            }}
          />
        ))}
      </ol>
      {rules.length < MAX_CHANNEL_RULES && (
        <Button
          small
          icon="plus"
          data-add-rule=""
          className={css['add']}
          onClick={() => {
            const next = withNewRule(rules);
            onChange(next);
            setFocused(`[name="${channelInputs.like(next.at(-1)?.id ?? 0, 0)}"]`);
          }}
        >
          {part.addRule}
        </Button>
      )}
      <p className="visually-hidden" role="status">
        {said}
      </p>
      <p className={css['hint']}>{part.channelRulesHint}</p>
    </fieldset>
  );
}

interface RuleProps {
  rule: ChannelRuleDraft;
  /** Its place, from 1. */
  number: number;
  errors: ChannelRuleErrors;
  isLast: boolean;
  onChange(rule: ChannelRuleDraft): void;
  onMove(by: -1 | 1): void;
  /** @param selector of what is to have the focus */
  onFocus(selector: string): void;
  onRemove(): void;
}

function Rule({ rule, number, errors, isLast, onChange, onMove, onFocus, onRemove }: RuleProps) {
  const part = usePart(readingWords);
  const { format } = useWords();
  const { id, channel, when } = rule;
  const place = format.number(number);
  const setCondition = (at: number, over: Partial<(typeof when)[number]>) =>
    onChange({ ...rule, when: when.map((each, place) => (place === at ? { ...each, ...over } : each)) });
  const wrong = (name: string) => {
    const found = errors[name];
    return found && part.wrong[found];
  };
  const button = { small: true, kind: 'quiet', iconOnly: true } as const;
  return (
    <li>
      <fieldset className={css['rule']}>
        <legend>{part.rule(place)}</legend>
        <div className={css['tools']}>
          <Button
            {...button}
            icon="arrowUp"
            data-move={`${id} -1`}
            aria-disabled={number === 1}
            onClick={() => number > 1 && onMove(-1)}
          >
            {part.moveUp(place)}
          </Button>
          <Button
            {...button}
            icon="arrowUp"
            className={css['down']}
            data-move={`${id} 1`}
            aria-disabled={isLast}
            onClick={() => !isLast && onMove(1)}
          >
            {part.moveDown(place)}
          </Button>
          <Button {...button} icon="x" onClick={onRemove}>
            {part.removeRule(place)}
          </Button>
        </div>
        {when.map(({ field, like }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions are added at the end, and hold no state of their own
          <div key={at} className={css['condition']}>
            <SelectField
              label={at === 0 ? part.when : part.and}
              name={channelInputs.field(id, at)}
              value={field}
              onChange={({ target }) => setCondition(at, { field: target.value as ChannelField })}
            >
              {channelFieldNames.map((each) => (
                <option key={each} value={each}>
                  {part.channelFields[each]}
                </option>
              ))}
            </SelectField>
            <TextField
              label={part.matches}
              name={channelInputs.like(id, at)}
              error={wrong(channelInputs.like(id, at))}
              value={like}
              {...plain}
              onChange={({ target }) => setCondition(at, { like: target.value })}
            />
            {when.length > 1 && (
              <Button
                {...button}
                icon="x"
                className={css['remove']}
                onClick={() => {
                  onChange({ ...rule, when: when.filter((_, place) => place !== at) });
                  onFocus(`[data-add-condition="${id}"]`);
                }}
              >
                {part.removeCondition(format.number(at + 1), place)}
              </Button>
            )}
          </div>
        ))}
        {when.length < MAX_CHANNEL_CONDITIONS && (
          <Button
            small
            kind="quiet"
            icon="plus"
            data-add-condition={id}
            className={css['add']}
            onClick={() => {
              const free = channelFieldNames.find((each) => when.every(({ field }) => field !== each)) ?? 'source';
              onChange({ ...rule, when: [...when, { field: free, like: '' }] });
              onFocus(`[name="${channelInputs.field(id, when.length)}"]`);
            }}
          >
            {part.addCondition}
          </Button>
        )}
        <TextField
          label={part.channel}
          name={channelInputs.channel(id)}
          error={wrong(channelInputs.channel(id))}
          value={channel}
          autoComplete="off"
          onChange={({ target }) => onChange({ ...rule, channel: target.value })}
        />
      </fieldset>
    </li>
  );
}

const plain = { autoCapitalize: 'none', autoComplete: 'off', spellCheck: false } as const;
