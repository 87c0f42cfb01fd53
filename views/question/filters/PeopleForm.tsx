/** Sets one thing about persons: an event or goal and how often, or when they came first; and in which time. */

import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { RangeInput, RangePreset } from '#src/insights/contract.ts';
import { searchable } from '#src/kit/search/values.ts';
import { MAX_STORED_NAME_LENGTH, rangePresets } from '#src/kit/values.ts';
import { useAddress, useProjects } from '#views/frame/queries.ts';
import { Button } from '#views/kit/Button.tsx';
import { classNames } from '#views/kit/class-names.ts';
import { Field, SelectField, TextField } from '#views/kit/Field.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import { useNavigation } from '#views/navigation.tsx';
import { useTrpc } from '#views/trpc.ts';
import { dateWords } from '#views/words/dates.ts';
import { filterFormWords } from '#views/words/filter-form.ts';
import { type WhoKind, whoWords } from '#views/words/who.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import { DateInput } from '../DateInput.tsx';
import { isDate, type Question } from '../question.ts';
import { Combobox } from './Combobox.tsx';
import css from './FilterEditor.module.css';
import { type EventConditions, FIRST_DATE, type PeopleCriterion } from './people-address.ts';
import { kindOf } from './people-wording.ts';
import { WhereFields, type WhereRead } from './WhereFields.tsx';

export interface PeopleFormProps {
  question: Question;
  /** Null: a new one. */
  criterion: PeopleCriterion | null;
  /** Of a new one. */
  kind: WhoKind | null;
  addressFor(criterion: PeopleCriterion): string;
}

const MAX_EVENTS = 200;
const MAX_TIMES = 999_999;
const DATES = 'dates';

type Problem = { at: 'event' | 'times' | 'dates'; text: string };

export function PeopleForm({ question, criterion, kind: begun, addressFor }: PeopleFormProps) {
  const text = usePart(whoWords);
  const dates = usePart(dateWords);
  const formText = usePart(filterFormWords);
  const { navigate } = useNavigation();
  const done = criterion !== null && 'did' in criterion ? criterion : null;
  const events = done !== null && 'event' in done.did ? done.did : null;
  const [kind, setKind] = useState<WhoKind>(criterion === null ? (begun ?? 'did') : kindOf(criterion));
  const [event, setEvent] = useState(events?.event ?? '');
  const [goal, setGoal] = useState(done !== null && 'goal' in done.did ? String(done.did.goal) : '');
  const [times, setTimes] = useState(String(done?.times ?? 1));
  const [range, setRange] = useState<RangeInput>(rangeOf(criterion, kind));
  const [wrong, setWrong] = useState<Problem | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const where = useRef<WhereRead>(null);
  const isReading = useRef(false);
  const goals = useGoals();
  const today = dateIn(useServerTime(), useProjects()?.current?.timeZone ?? 'UTC');
  const isFirst = kind === 'first' || kind === 'firstNot';
  const isGoal = kind === 'reached' || kind === 'reachedNot';

  // Once the popover is open, what is to be said first has the focus.
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[data-first] input, [data-first] select')?.focus();
  }, []);

  async function finish(): Promise<void> {
    const not = kind.endsWith('Not') && { not: true as const };
    const problem = problemIn();
    setWrong(problem);
    if (problem !== null) {
      form.current?.querySelector<HTMLElement>(`[data-at=${problem.at}] input`)?.focus();
      return;
    }
    if (isReading.current) return;
    isReading.current = true;
    const filters = await conditions().finally(() => {
      isReading.current = false;
    });
    // Patterns are tried by the server: meanwhile the form may have been closed.
    if (filters === 'wrong' || !form.current?.closest('[popover]')?.matches(':popover-open')) return;
    const chosen = { event: event.trim(), ...(filters !== null && { filters }) };
    const did = isGoal ? { goal: Number(goal || goals?.[0]?.id) } : chosen;
    form.current?.closest<HTMLElement>('[popover]')?.hidePopover();
    navigate(addressFor(isFirst ? { firstSeen: range, ...not } : { did, times: Number(times), within: range, ...not }));
  }

  async function conditions(): Promise<EventConditions | null | 'wrong'> {
    return isGoal || isFirst ? null : ((await where.current?.read()) ?? null);
  }

  function problemIn(): Problem | null {
    if (!isFirst && !isGoal && event.trim() === '') return { at: 'event', text: text.needsEvent };
    if (!isFirst && !(Number.isInteger(Number(times)) && Number(times) >= 1 && Number(times) <= MAX_TIMES)) {
      return { at: 'times', text: text.needsTimes };
    }
    if (typeof range === 'string') return null;
    const isRight =
      isDate(range.from) &&
      isDate(range.to) &&
      range.from >= FIRST_DATE &&
      range.from <= range.to &&
      range.from <= today;
    return isRight ? null : { at: 'dates', text: text.needsDates };
  }

  const errorAt = (at: Problem['at']) => (wrong?.at === at ? wrong.text : undefined);
  return (
    <form
      ref={form}
      noValidate
      className={css['editor']}
      onSubmit={(submitted: FormEvent) => {
        submitted.preventDefault();
        void finish();
      }}
    >
      <SelectField
        label={text.kind}
        value={kind}
        onChange={({ target }) => {
          const next = target.value as WhoKind;
          setKind(next);
          // Everybody is first seen at some time.
          if (next.startsWith('first') && range === 'all_time') setRange('last_28_days');
        }}
      >
        {(Object.keys(text.kinds) as WhoKind[]).map((each) => (
          <option key={each} value={each}>
            {text.kinds[each]}
          </option>
        ))}
      </SelectField>
      {!isFirst && !isGoal && (
        <div data-at="event" data-first="">
          <EventField
            question={question}
            typed={event}
            error={errorAt('event')}
            onType={(typed) => {
              setEvent(typed);
              setWrong(null);
            }}
            onDone={() => void finish()}
          />
        </div>
      )}
      {/* Hidden, not gone: who looks at another kind and comes back finds what was set. */}
      <div hidden={isFirst || isGoal}>
        <WhereFields
          reader={where}
          question={question}
          filters={events?.filters ?? null}
          onDone={() => void finish()}
        />
      </div>
      {isGoal && (
        <div data-first="">
          {goals?.length === 0 ? (
            <p className="dim">{text.noGoals}</p>
          ) : (
            <SelectField label={text.goal} value={goal} onChange={({ target }) => setGoal(target.value)}>
              {goals?.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </SelectField>
          )}
        </div>
      )}
      <div className={classNames(css['editor'], !isFirst && css['often'])}>
        {!isFirst && (
          <div data-at="times">
            <TextField
              label={text.times}
              inputMode="numeric"
              autoComplete="off"
              maxLength={6}
              value={times}
              error={errorAt('times')}
              onChange={({ target }) => {
                setTimes(target.value);
                setWrong(null);
              }}
            />
          </div>
        )}
        <div {...(isFirst && { 'data-first': '' })}>
          <SelectField
            label={text.within}
            error={errorAt('dates')}
            value={typeof range === 'string' ? range : DATES}
            onChange={({ target }) =>
              setRange(target.value === DATES ? { from: '', to: '' } : (target.value as RangePreset))
            }
          >
            {rangePresets
              .filter((each) => !isFirst || each !== 'all_time')
              .map((each) => (
                <option key={each} value={each}>
                  {text.when[each]}
                </option>
              ))}
            <option value={DATES}>{text.dates}</option>
          </SelectField>
        </div>
        {typeof range !== 'string' && (
          <div className={css['dates']} data-at="dates">
            {(['from', 'to'] as const).map((each) => (
              <Field key={each} label={dates[each]}>
                {(names) => (
                  <DateInput
                    {...names}
                    value={range[each]}
                    onChange={(date) => {
                      setRange({ ...range, [each]: date });
                      setWrong(null);
                    }}
                  />
                )}
              </Field>
            ))}
          </div>
        )}
      </div>
      <p className={css['hint']}>{text.eventHint}</p>
      <div className={css['end']}>
        <Button type="submit" kind="primary" small disabled={isGoal && (goals?.length ?? 0) === 0}>
          {formText.apply}
        </Button>
      </div>
    </form>
  );
}

/** Somebody is first seen at some time: all of it says nothing. */
function rangeOf(criterion: PeopleCriterion | null, kind: WhoKind): RangeInput {
  if (criterion === null) return kind === 'first' ? 'last_28_days' : 'all_time';
  return 'firstSeen' in criterion ? criterion.firstSeen : criterion.within;
}

function useGoals() {
  const trpc = useTrpc();
  const project = useAddress()?.project ?? '';
  return useQuery(trpc.insights.goals.list.queryOptions({ project })).data;
}

interface EventFieldProps {
  question: Question;
  typed: string;
  error: string | undefined;
  onType(typed: string): void;
  onDone(): void;
}

/** Events of the period are offered, the commonest first; any other can be typed. */
function EventField({ question: { range }, typed, error, onType, onDone }: EventFieldProps) {
  const { format } = useWords();
  const text = usePart(whoWords);
  const formText = usePart(filterFormWords);
  const trpc = useTrpc();
  const project = useAddress()?.project ?? '';
  const [isChosen, setIsChosen] = useState(typed !== '');
  const field = useRef<HTMLInputElement>(null);
  const asked = { project, range, compare: 'none', dimension: 'event', limit: MAX_EVENTS } as const;
  const { data } = useQuery(trpc.insights.query.breakdown.queryOptions(asked));
  const part = searchable(typed.trim());
  const found = (data?.rows ?? []).filter(([name]) => searchable(name).includes(part));
  const options = isChosen ? [] : found;
  return (
    <Combobox
      label={text.event}
      placeholder={text.findEvent}
      typed={typed}
      options={options.map(([name, , count]) => ({
        key: name,
        content: <span className="mono">{name}</span>,
        aside: format.number(count),
      }))}
      note={data === undefined ? formText.loading : !isChosen && found.length === 0 ? formText.noValue : null}
      status={formText.found(options.length, format.number(options.length))}
      field={field}
      error={error}
      maxLength={MAX_STORED_NAME_LENGTH}
      onType={(next) => {
        setIsChosen(false);
        onType(next);
      }}
      onChoose={(name) => {
        setIsChosen(true);
        onType(name);
        field.current?.focus();
      }}
      onEnter={onDone}
    />
  );
}
