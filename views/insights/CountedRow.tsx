/** Who is counted: people, or the groups of a type that the project's events name. */
import { type GroupSubject, groupSubject, isGroupSubject } from '#src/columns/values.ts';
import { useGroupTypes } from '#views/frame/group-types.ts';
import { countedGroupWords } from '#views/words/counted-groups.ts';
import { usePart } from '#views/words/words.tsx';
import { OptionRow } from './OptionRow.tsx';
import { useGroupNames } from './use-group-measure.ts';

interface CountedRowProps<Per extends string> {
  value: Per | GroupSubject;
  /** What is counted besides groups. */
  others: readonly { value: Per; text: string }[];
  onChange(per: Per | GroupSubject): void;
}

/** Nothing in projects whose events name no groups. */
export function CountedRow<Per extends string>({ value, others, onChange }: CountedRowProps<Per>) {
  const own = usePart(countedGroupWords);
  const nameOf = useGroupNames();
  const types = useGroupTypes();
  const subjects = types.flatMap(({ type }) => groupSubject(type) ?? []);
  if (isGroupSubject(value) && !subjects.includes(value)) subjects.push(value);
  if (subjects.length === 0 && others.length < 2) return null;
  return (
    <OptionRow
      label={own.per}
      value={value}
      options={[...others, ...subjects.map((subject) => ({ value: subject, text: nameOf(subject) }))]}
      onChange={onChange}
    />
  );
}

/** The row of kinds that count people. */
export function CountedPeopleRow({
  per = 'persons',
  onChange,
}: {
  per: 'persons' | GroupSubject | undefined;
  /** Undefined: people. */
  onChange(per: GroupSubject | undefined): void;
}) {
  const own = usePart(countedGroupWords);
  return (
    <CountedRow
      value={per}
      others={[{ value: 'persons', text: own.people }]}
      onChange={(next) => onChange(next === 'persons' ? undefined : next)}
    />
  );
}

/** The query with who is counted. */
export function withPer<Own extends { per?: 'persons' | GroupSubject | undefined }>(
  own: Own,
  per: GroupSubject | undefined,
): Own {
  const { per: _, ...others } = own;
  return (per === undefined ? others : { ...others, per }) as Own;
}

/** What a project calls the counted groups; null: people or visits are counted. */
export function useCountedGroups(per: string | undefined): string | null {
  const nameOf = useGroupNames();
  return isGroupSubject(per) ? nameOf(per) : null;
}
