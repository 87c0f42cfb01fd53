/** Sets one thing about persons: an event or goal and how often, or when they came first; and in which time. */

import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { RangeInput } from '#src/insights/contract.ts';
import { useProjects } from '#views/frame/queries.ts';
import { Button } from '#views/kit/Button.tsx';
import { classNames } from '#views/kit/class-names.ts';
import { SelectField, TextField } from '#views/kit/Field.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import { useNavigate } from '#views/navigation.tsx';
import { filterFormWords } from '#views/words/filter-form.ts';
import { type WhoKind, whoWords } from '#views/words/who.ts';
import { usePart } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import { isDate, type Question } from '../question.ts';
import css from './FilterEditor.module.css';
import { PeopleEvent } from './PeopleEvent.tsx';
import { PeopleGoal, useGoals } from './PeopleGoal.tsx';
import { PeopleRange } from './PeopleRange.tsx';
import { type EventConditions, FIRST_DATE, type PeopleCriterion } from './people-address.ts';
import { kindOf } from './people-wording.ts';
import { WhereFields, type WhereRead } from './WhereFields.tsx';

export interface PeopleFormProps {
  question: Question;
  /** Null: a new one. */
  criterion: PeopleCriterion | null;
  /** Kind of a new criterion. */
  kind: WhoKind | null;
  addressFor(criterion: PeopleCriterion): string;
}

const MAX_TIMES = 999_999;

type Problem = { at: 'event' | 'times' | 'dates'; text: string };

export function PeopleForm({ question, criterion, kind: begun, addressFor }: PeopleFormProps) {
  const text = usePart(whoWords);
  const formText = usePart(filterFormWords);
  const { navigate } = useNavigate();
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
  const isFirst = isAboutFirst(kind);
  const isGoal = isAboutGoal(kind);

  // Focuses the first field once the popover is open.
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[data-first] input, [data-first] select')?.focus();
  }, []);

  async function finish(): Promise<void> {
    const not = kind.endsWith('Not') && { not: true as const };
    const problem = problemOf({ kind, event, times, range }, today, text);
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
          // Over all time everyone has a first visit.
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
          <PeopleEvent
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
          <PeopleGoal goals={goals} value={goal} onChange={setGoal} />
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
        <PeopleRange
          range={range}
          isFirst={isFirst}
          error={errorAt('dates')}
          onChange={(next) => {
            setRange(next);
            setWrong(null);
          }}
        />
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

function isAboutFirst(kind: WhoKind): boolean {
  return kind === 'first' || kind === 'firstNot';
}

function isAboutGoal(kind: WhoKind): boolean {
  return kind === 'reached' || kind === 'reachedNot';
}

interface Written {
  kind: WhoKind;
  event: string;
  times: string;
  range: RangeInput;
}

/** The problem of the form; null: valid. @param today ranges may not start after this date */
function problemOf({ kind, event, times, range }: Written, today: string, text: typeof whoWords.en): Problem | null {
  const isFirst = isAboutFirst(kind);
  if (!isFirst && !isAboutGoal(kind) && event.trim() === '') return { at: 'event', text: text.needsEvent };
  if (!isFirst && !(Number.isInteger(Number(times)) && Number(times) >= 1 && Number(times) <= MAX_TIMES)) {
    return { at: 'times', text: text.needsTimes };
  }
  if (typeof range === 'string') return null;
  const { from, to } = range;
  const isRight = isDate(from) && isDate(to) && from >= FIRST_DATE && from <= to && from <= today;
  return isRight ? null : { at: 'dates', text: text.needsDates };
}

/** Initial range; not all time for first visits, which would match everyone. */
function rangeOf(criterion: PeopleCriterion | null, kind: WhoKind): RangeInput {
  if (criterion === null) return kind === 'first' ? 'last_28_days' : 'all_time';
  return 'firstSeen' in criterion ? criterion.firstSeen : criterion.within;
}
