/** The groups of a type: found, put in order, with columns of properties. The state stands in the address; forms work without scripts. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useMemo, useState } from 'react';
import { groupSubject } from '#src/columns/values.ts';
import type { JsonValue } from '#src/kit/json.ts';
import type { ListedGroup } from '#src/profiles/groups/contract.ts';
import { GROUP_PAGE, groupSorts, MAX_GROUP_COLUMNS } from '#src/profiles/groups/values.ts';
import { MAX_TEXT_LENGTH } from '#src/profiles/values.ts';
import type { GroupTypeName } from '#src/projects/contract.ts';
import { groupOf, groupsOf } from '#views/frame/addresses.ts';
import { Page } from '#views/frame/Page.tsx';
import { PeopleTabs } from '#views/frame/PeopleTabs.tsx';
import { frameQueries, isProject, useTableFileName } from '#views/frame/queries.ts';
import { BarTableSkeleton } from '#views/kit/BarTableSkeleton.tsx';
import { Button, ButtonLink, smallButtonClass } from '#views/kit/Button.tsx';
import { Chip } from '#views/kit/Chip.tsx';
import { ComboboxField } from '#views/kit/ComboboxField.tsx';
import { type DataColumn, DataTable, RowLink } from '#views/kit/DataTable.tsx';
import { TextField } from '#views/kit/Field.tsx';
import { Icon } from '#views/kit/Icon.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Region } from '#views/kit/Region.tsx';
import { Segmented } from '#views/kit/Segmented.tsx';
import { State } from '#views/kit/State.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import { useNavigate } from '#views/navigation.tsx';
import { useProperties } from '#views/question/filters/use-suggestions.ts';
import type { ScreenProps, ScreenQuery } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import type { Words } from '#views/words/en.ts';
import { missing } from '#views/words/format.ts';
import { groupWords } from '#views/words/groups.ts';
import { ago } from '#views/words/relative.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Groups.module.css';
import {
  type GroupsQuestion,
  groupsAddress,
  groupsFileAddress,
  groupsInput,
  paramsOf,
  readGroups,
} from './groups-address.ts';

export function queries(trpc: Trpc, props: ScreenProps): ScreenQuery[] {
  const project = props.params['project'] ?? '';
  const question = readGroups(props.search);
  return [
    ...frameQueries(trpc, props),
    ...(question.type === null
      ? []
      : [
          {
            options: trpc.profiles.groups.list.queryOptions(groupsInput(project, question.type, question)),
            critical: true,
          },
        ]),
  ];
}

export function title(words: Words): string {
  return groupWords[words.language].title;
}

export function Screen({ params, search }: ScreenProps) {
  const text = usePart(groupWords);
  const project = params['project'] ?? '';
  const address = search.toString();
  const question = useMemo(() => readGroups(new URLSearchParams(address)), [address]);
  return (
    <Page title={text.title}>
      <Late fallback={<BarTableSkeleton rows={8} />}>
        <Content project={project} question={question} />
      </Late>
    </Page>
  );
}

interface Asking {
  project: string;
  question: GroupsQuestion;
}

function Content({ project, question }: Asking) {
  const text = usePart(groupWords);
  const { navigate } = useNavigate();
  const trpc = useTrpc();
  const { data: projects } = useSuspenseQuery(trpc.projects.list.queryOptions());
  const current = projects.find((each) => isProject(each, project));
  const types = current?.groupTypes ?? [];
  const type = question.type === null ? types[0] : types.find((each) => each.type === question.type);
  return (
    <div className="ph-no-capture">
      <PeopleTabs project={project} current={type === undefined ? null : type.type} />
      {type === undefined ? (
        <State icon="people" title={types.length === 0 ? text.noTypes : text.noType}>
          {types.length === 0 && text.noTypesText}
        </State>
      ) : (
        <>
          <Tools project={project} question={question} type={type} />
          <Region
            question={question}
            of={JSON.stringify(groupsInput(project, type.type, question))}
            label={type.plural}
            counting={type.plural}
            skeleton={<BarTableSkeleton rows={8} />}
            onCancel={(shown) => navigate(groupsAddress(project, shown), { replace: true })}
          >
            {(shown) => <List project={project} question={shown} type={type} timeZone={current?.timeZone ?? 'UTC'} />}
          </Region>
        </>
      )}
    </div>
  );
}

type Typed = Asking & { type: GroupTypeName };

function Tools({ project, question, type }: Typed) {
  const text = usePart(groupWords);
  const hrefOf = (changes: Partial<GroupsQuestion>) => groupsAddress(project, { ...question, page: 1, ...changes });
  const { columns, sort, search } = question;
  return (
    <div className={css['tools']} key={paramsOf(question).toString()}>
      <Form project={project} carried={{ ...question, search: '' }} className={css['search']}>
        <TextField
          label={text.search(type.plural)}
          hint={text.searchHint}
          type="search"
          name="search"
          defaultValue={search}
          maxLength={MAX_TEXT_LENGTH}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
        />
        <Button type="submit" icon="search">
          {text.find}
        </Button>
      </Form>
      <details className={css['more']} open={columns.length > 0}>
        <summary>
          <Icon name="table" />
          {text.columns}
        </summary>
        {columns.length < MAX_GROUP_COLUMNS && <AddColumn project={project} question={question} type={type} />}
      </details>
      <div className={css['choices']}>
        <Segmented
          label={text.order}
          className={css['segments']}
          segments={groupSorts.map((each) => ({
            key: each,
            label: text.sorts[each],
            href: hrefOf({ sort: each }),
            current: each === sort,
          }))}
        />
        {columns.map((name) => (
          <Chip
            key={name}
            name={text.column}
            operator=""
            value={name}
            removeLabel={text.removeColumn(name)}
            removeHref={hrefOf({ columns: columns.filter((each) => each !== name) })}
          />
        ))}
      </div>
    </div>
  );
}

function Form({
  project,
  carried,
  className,
  children,
}: {
  project: string;
  carried: GroupsQuestion;
  className: string | undefined;
  children: ReactNode;
}) {
  const { navigate } = useNavigate();
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const params = new URLSearchParams();
    for (const [name, value] of new FormData(event.currentTarget)) params.append(name, String(value));
    navigate(groupsAddress(project, readGroups(params)));
  };
  return (
    <form method="get" action={groupsOf(project)} onSubmit={onSubmit} className={className}>
      {[...paramsOf(carried)].map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  );
}

function AddColumn({ project, question, type }: Typed) {
  const text = usePart(groupWords);
  const [value, setValue] = useState('');
  const about = groupSubject(type.type);
  const known = (useProperties(project) ?? []).filter((each) => each.about === about && !each.name.startsWith('$'));
  return (
    <Form project={project} carried={question} className={css['filter']}>
      <ComboboxField
        label={text.column}
        name="column"
        value={value}
        options={known.map(({ name }) => name)}
        mono
        maxLength={MAX_TEXT_LENGTH}
        required
        onChange={setValue}
      />
      <Button type="submit" icon="plus">
        {text.addColumn}
      </Button>
    </Form>
  );
}

function List({ project, question, type, timeZone }: Typed & { timeZone: string }) {
  const text = usePart(groupWords);
  const { format } = useWords();
  const trpc = useTrpc();
  const fileName = useTableFileName();
  const { data } = useSuspenseQuery(trpc.profiles.groups.list.queryOptions(groupsInput(project, type.type, question)));
  const hrefOf = (changes: Partial<GroupsQuestion>) => groupsAddress(project, { ...question, ...changes });
  if (data.rows.length === 0) {
    return (
      <State
        icon="search"
        title={text.none}
        actions={question.search !== '' && <ButtonLink href={hrefOf({ search: '', page: 1 })}>{text.clear}</ButtonLink>}
      >
        {question.search !== '' && text.noneText}
      </State>
    );
  }
  return (
    <>
      <div className={css['count']}>
        <b className="strong num">{text.found(data.total, format.number(data.total))}</b>
        <a href={groupsFileAddress(project, { ...question, type: type.type })} download className={smallButtonClass}>
          <Icon name="intake" />
          {text.export(fileName)}
        </a>
      </div>
      <Table project={project} question={question} type={type} groups={data.rows} timeZone={timeZone} />
      <div className={css['ends']}>
        <span className="dim">{text.ofAllTime}</span>
        {question.page > 1 && (
          <ButtonLink small href={hrefOf({ page: 1 })}>
            {text.start}
          </ButtonLink>
        )}
        {data.total > question.page * GROUP_PAGE && (
          <ButtonLink small href={hrefOf({ page: question.page + 1 })} rel="next">
            {text.more}
          </ButtonLink>
        )}
      </div>
    </>
  );
}

interface TableProps extends Typed {
  groups: readonly ListedGroup[];
  timeZone: string;
}

function Table({ project, question, type, groups, timeZone }: TableProps) {
  const text = usePart(groupWords);
  const { words, format } = useWords();
  const now = useServerTime();
  const { sort, columns } = question;
  const figure = (key: 'events' | 'people'): DataColumn => ({
    key,
    head: text[key],
    isFigure: true,
    wideOnly: sort !== key && !(key === 'events' && (sort === 'key' || sort === 'seen')),
    ...(sort === key && { sort: 'descending' as const }),
  });
  return (
    <DataTable
      caption={type.plural}
      className={css['table']}
      columns={[
        { key: 'name', head: type.singular },
        ...columns.map((name, at) => ({
          key: `property ${at}`,
          head: <span className="mono clip">{name}</span>,
          wideOnly: true,
        })),
        figure('events'),
        figure('people'),
        {
          key: 'lastSeen',
          head: text.lastSeen,
          className: 'num',
          wideOnly: sort !== 'seen',
          ...(sort === 'seen' && { sort: 'descending' as const }),
        },
      ]}
      rows={groups.map(({ key, label, events, people, lastSeen, properties }) => ({
        key,
        leads: true,
        cells: {
          name: (
            <span className={css['who']}>
              <RowLink href={groupOf(project, type.type, key)} className={`${css['name']} clip`}>
                {label ?? key}
              </RowLink>
              {label !== null && <span className="dim clip">{key}</span>}
            </span>
          ),
          ...Object.fromEntries(
            columns.map((name, at) => [
              `property ${at}`,
              <span key={name} className="clip">
                {propertyText(properties[name])}
              </span>,
            ]),
          ),
          events: format.number(events),
          people: format.number(people),
          lastSeen:
            lastSeen === null ? (
              <span className="dim">{missing}</span>
            ) : (
              <time dateTime={new Date(lastSeen).toISOString()}>{ago(lastSeen, now, timeZone, words)}</time>
            ),
        },
      }))}
    />
  );
}

function propertyText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return missing;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
