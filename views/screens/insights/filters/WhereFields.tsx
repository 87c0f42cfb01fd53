/** Which events of a kind count: conditions on what they say, all of which have to be fulfilled. One at a time is open. */
import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import type { FilterCondition } from '#src/columns/contract.ts';
import { Button } from '#views/kit/Button.tsx';
import { filterFormWords } from '#views/words/filter-form.ts';
import { filterWords } from '#views/words/filters.ts';
import { whoWords } from '#views/words/who.ts';
import { usePart } from '#views/words/words.tsx';
import type { Question } from '../question.ts';
import { MOST_CONDITIONS } from './address.ts';
import { ConditionFields, type ConditionRead } from './ConditionFields.tsx';
import css from './FilterEditor.module.css';
import { useReading } from './reading.ts';
import { sentenceOf } from './wording.ts';

export interface WhereRead {
  /** Or what is wrong with the one that is open, which is said at its field. */
  read(): Promise<FilterCondition[] | 'wrong'>;
}

export interface WhereFieldsProps {
  /** Where it is put how these are read. */
  reader: RefObject<WhereRead | null>;
  question: Question;
  conditions: readonly FilterCondition[];
  onDone(): void;
}

interface Item {
  key: number;
  /** Null: a new one that is open. */
  set: FilterCondition | null;
}

export function WhereFields({ reader, question, conditions, onDone }: WhereFieldsProps) {
  const text = usePart(filterFormWords);
  const filterText = usePart(filterWords);
  const { where } = usePart(whoWords);
  const reading = useReading();
  const [items, setItems] = useState<readonly Item[]>(() => conditions.map((set, key) => ({ key, set })));
  const [open, setOpen] = useState<number | null>(null);
  const unused = useRef(conditions.length);
  const fields = useRef<ConditionRead>(null);
  const adding = useId();

  useEffect(() => {
    reader.current = { read };
  });

  async function read(): Promise<FilterCondition[] | 'wrong'> {
    const all = await settled(false);
    return all === 'wrong' ? all : all.flatMap(({ set }) => (set === null ? [] : [set]));
  }

  /** With what the open one says now; one that came to nothing is gone. */
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
      {items.map(({ key, set }) => {
        const sentence = set === null ? null : sentenceOf(set, filterText, reading);
        return (
          <div key={key} className={css['where']}>
            {key === open ? (
              <ConditionFields
                reader={fields}
                question={question}
                condition={set}
                part={set === null ? 'property' : 'value'}
                ofEvents
                onDone={onDone}
              />
            ) : (
              <button type="button" className={`input ${css['chosen']}`} onClick={() => void openUp(key)}>
                <span className="clip" suppressHydrationWarning>
                  <span className="dim">{where}</span> {sentence}
                </span>
              </button>
            )}
            <Button small kind="quiet" icon="x" iconOnly onClick={() => remove(key)}>
              {sentence === null ? text.removeOpen : filterText.remove(sentence)}
            </Button>
          </div>
        );
      })}
      <div>
        <Button
          id={adding}
          small
          kind="quiet"
          disabled={items.length >= MOST_CONDITIONS}
          onClick={() => void openUp(null)}
        >
          {text.addWhere}
        </Button>
      </div>
    </div>
  );
}
