/** Search and filters of the list of insights: plain forms, and a choice is applied at once where scripts run. */
import { type FormEvent, useLayoutEffect, useRef } from 'react';
import type { InsightList } from '#src/insights/saved/contract.ts';
import { SAMPLE_ACCOUNT, savedKinds } from '#src/insights/saved/values.ts';
import { insightsOf } from '#views/frame/addresses.ts';
import { Button } from '#views/kit/Button.tsx';
import { SelectField, TextField } from '#views/kit/Field.tsx';
import { Segmented } from '#views/kit/Segmented.tsx';
import { useNavigate } from '#views/navigation.tsx';
import { savedInsightWords } from '#views/words/saved-insights.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './InsightList.module.css';
import { type ListQuestion, listAddress, readList } from './list-address.ts';

interface FiltersProps {
  project: string;
  question: ListQuestion;
  facets: InsightList['facets'];
}

export function Filters({ project, question, facets }: FiltersProps) {
  const own = usePart(savedInsightWords);
  const { filters: text } = own;
  const { format } = useWords();
  const { navigate } = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const address = listAddress(project, question);
  const before = useRef(address);
  // Typed text that was not submitted is discarded.
  useLayoutEffect(() => {
    if (before.current === address) return;
    before.current = address;
    form.current?.reset();
  }, [address]);

  function apply(element: HTMLFormElement): void {
    const params = new URLSearchParams();
    for (const [name, value] of new FormData(element)) params.append(name, String(value));
    navigate(listAddress(project, readList(params)));
  }
  const onChange = (event: FormEvent<HTMLFormElement>) => {
    if (event.target instanceof HTMLSelectElement) apply(event.currentTarget);
  };
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    apply(event.currentTarget);
  };
  const shown = (key: ListQuestion['shown'], label: string, count: number) => ({
    key,
    label: `${label} ${format.number(count)}`,
    href: listAddress(project, { ...question, shown: key, page: 0 }),
    current: question.shown === key,
  });
  return (
    <div className={css['tools']}>
      <form
        ref={form}
        key={`${question.kind} ${question.owner} ${question.tag}`}
        method="get"
        action={insightsOf(project)}
        onSubmit={onSubmit}
        onChange={onChange}
        className={css['filters']}
      >
        {question.shown !== 'all' && <input type="hidden" name="show" value={question.shown} />}
        <TextField
          label={text.search}
          type="search"
          name="search"
          defaultValue={question.search}
          maxLength={200}
          placeholder={text.searchHint}
          autoComplete="off"
        />
        <SelectField label={text.kind} name="kind" defaultValue={question.kind ?? ''}>
          <option value="">{text.allKinds}</option>
          {savedKinds
            .filter((kind) => kind === question.kind || facets.kinds[kind] !== undefined)
            .map((kind) => (
              <option key={kind} value={kind}>
                {`${own.kinds[kind]} (${format.number(facets.kinds[kind] ?? 0)})`}
              </option>
            ))}
        </SelectField>
        <SelectField label={text.owner} name="owner" defaultValue={question.owner ?? ''}>
          <option value="">{text.allOwners}</option>
          {facets.owners.map(({ id, name }) => (
            <option key={id} value={id}>
              {name ?? (id === SAMPLE_ACCOUNT ? own.sampleData : own.formerMember)}
            </option>
          ))}
        </SelectField>
        {facets.tags.length > 0 && (
          <SelectField label={text.tag} name="tag" defaultValue={question.tag ?? ''}>
            <option value="">{text.allTags}</option>
            {facets.tags.map((tag) => (
              <option key={tag} value={tag}>
                {tag}
              </option>
            ))}
          </SelectField>
        )}
        <Button type="submit" icon="search">
          {text.apply}
        </Button>
      </form>
      <Segmented
        label={text.show}
        segments={[
          shown('all', text.all, facets.all),
          shown('favorites', text.favorites, facets.favorites),
          shown('archived', text.archived, facets.archived),
        ]}
      />
    </div>
  );
}
