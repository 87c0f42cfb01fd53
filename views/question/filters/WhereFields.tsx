/** Conditions on event properties, joined by AND or OR. One at a time is open. */

import { Fragment, type RefObject, useEffect, useId, useRef, useState } from 'react';
import type { FilterCondition } from '#src/columns/contract.ts';
import { MAX_CONDITIONS } from '#src/columns/values.ts';
import { Button } from '#views/kit/Button.tsx';
import { Select } from '#views/kit/Select.tsx';
import { filterFormWords } from '#views/words/filter-form.ts';
import { filterWords } from '#views/words/filters.ts';
import { whoWords } from '#views/words/who.ts';
import { usePart } from '#views/words/words.tsx';
import type { Question } from '../question.ts';
import { ConditionFields, type ConditionRead } from './ConditionFields.tsx';
import css from './FilterEditor.module.css';
import type { EventConditions } from './people-address.ts';
import { useReading } from './reading.ts';
import { sentenceOf } from './wording.ts';

export interface WhereRead {
  /** Null: no conditions; 'wrong' after showing the error of the open condition. */
  read(): Promise<EventConditions | null | 'wrong'>;
}

export interface WhereFieldsProps {
  /** Set to the function that reads the fields. */
  reader: RefObject<WhereRead | null>;
  question: Question;
  filters: EventConditions | null;
  /** Only what events of themselves say is offered; absent: it is so. */
  ofEvents?: boolean;
  onDone(): void;
}

interface Item {
  key: number;
  /** Null: a new one that is open. */
  set: FilterCondition | null;
}

export function WhereFields({ reader, question, filters, ofEvents = true, onDone }: WhereFieldsProps) {
  const text = usePart(filterFormWords);
  const filterText = usePart(filterWords);
  const { where } = usePart(whoWords);
  const reading = useReading();
  const [match, setMatch] = useState(filters?.match ?? 'all');
  const [items, setItems] = useState<readonly Item[]>(() => (filters?.of ?? []).map((set, key) => ({ key, set })));
  const [open, setOpen] = useState<number | null>(null);
  const unused = useRef(items.length);
  const fields = useRef<ConditionRead>(null);
  const adding = useId();

  useEffect(() => {
    reader.current = { read };
  });

  async function read(): Promise<EventConditions | null | 'wrong'> {
    const all = await settled(false);
    if (all === 'wrong') return all;
    const of = all.flatMap(({ set }) => (set === null ? [] : [set]));
    return of.length === 0 ? null : { match: of.length === 1 ? 'all' : match, of };
  }

  /** Applies the open condition; an empty one is removed. */
  async function settled(isNeeded: boolean): Promise<readonly Item[] | 'wrong'> {
    if (open === null) return items;
    const set = (await fields.current?.read(isNeeded)) ?? null;
    if (set === 'wrong') return set;
    return items.flatMap((each) => (each.key !== open ? [each] : set === null ? [] : [{ ...each, set }]));
  }

  /** @param key null: of one more */
  async function openUp(key: number | null): Promise<void> {
    const all = await settled(key === null);
    if (all === 'wrong') return;
    const next = key ?? unused.current++;
    // Patterns are tried by the server: what was removed meanwhile stays so.
    setItems((now) => {
      const left = all.filter((each) => now.some((other) => other.key === each.key));
      return key === null ? [...left, { key: next, set: null }] : left;
    });
    setOpen(next);
  }

  function remove(key: number): void {
    setItems(items.filter((each) => each.key !== key));
    if (open === key) setOpen(null);
    // The focus would be lost with it.
    document.getElementById(adding)?.focus();
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields, and most of these are sentences
    <div role="group" aria-label={text.which} className={css['editor']}>
      {items.map(({ key, set }, place) => {
        const sentence = set === null ? null : sentenceOf(set, filterText, reading);
        return (
          <Fragment key={key}>
            {place === 1 && (
              <div className={css['joint']}>
                <Select
                  className="input"
                  aria-label={text.joint}
                  value={match}
                  onChange={({ target }) => setMatch(target.value as EventConditions['match'])}
                >
                  {(['all', 'any'] as const).map((each) => (
                    <option key={each} value={each}>
                      {filterText[each]}
                    </option>
                  ))}
                </Select>
              </div>
            )}
            <div className={css['where']}>
              {key === open ? (
                <ConditionFields
                  reader={fields}
                  question={question}
                  condition={set}
                  part={set === null ? 'property' : 'value'}
                  ofEvents={ofEvents}
                  onDone={onDone}
                />
              ) : (
                <button type="button" className={`input ${css['chosen']}`} onClick={() => void openUp(key)}>
                  <span className="clip" suppressHydrationWarning>
                    {place !== 1 && <span className="dim">{place === 0 ? where : filterText[match]}</span>} {sentence}
                  </span>
                </button>
              )}
              <Button small kind="quiet" icon="x" iconOnly onClick={() => remove(key)}>
                {sentence === null ? text.removeOpen : filterText.remove(sentence)}
              </Button>
            </div>
          </Fragment>
        );
      })}
      <div>
        <Button
          id={adding}
          small
          kind="quiet"
          disabled={items.length >= MAX_CONDITIONS}
          onClick={() => void openUp(null)}
        >
          {text.addWhere}
        </Button>
      </div>
    </div>
  );
}
