/** Selection of the screen's segment; current filters can be saved as a new one. */
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, useState } from 'react';
import { mayCall } from '#src/accounts/values.ts';
import type { Segment } from '#src/insights/segments/contract.ts';
import { isProject, useAddress } from '#views/frame/queries.ts';
import { smallButtonClass } from '#views/kit/Button.tsx';
import { classNames } from '#views/kit/class-names.ts';
import { Icon } from '#views/kit/Icon.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { OptionGroup, optionClass, Popover } from '#views/kit/Popover.tsx';
import { useNavigate } from '#views/navigation.tsx';
import { useTrpc } from '#views/trpc.ts';
import { segmentWords } from '#views/words/segments.ts';
import { usePart } from '#views/words/words.tsx';
import { addressOf, type Question } from '../question.ts';
import css from './SegmentChoice.module.css';

const SegmentForm = lazy(async () => ({ default: (await import('#views/areas/question-forms.ts')).SegmentForm }));

export interface SegmentChoiceProps {
  path: string;
  question: Question;
}

export function SegmentChoice({ path, question }: SegmentChoiceProps) {
  const text = usePart(segmentWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const { navigate } = useNavigate();
  const project = useAddress()?.project ?? '';
  const { data: projects } = useSuspenseQuery(trpc.projects.list.queryOptions());
  const role = projects.find((each) => isProject(each, project))?.role ?? 'viewer';
  const { data: segments } = useSuspenseQuery(trpc.insights.segments.list.queryOptions({ project }));
  const [form, setForm] = useState<'save' | 'change' | null>(null);
  const chosen = segments.find(({ id }) => id === (question.segment ?? question.edited)) ?? null;
  // The conditions of the one that is open go with it; filters beside a segment stay.
  const left = question.edited === null ? question : { ...question, edited: null, filters: null, people: null };
  const isGone = question.segment !== null && chosen === null;
  // Filters of an open segment are saved there.
  const isFiltered = chosen === null && (question.filters ?? question.people) !== null;
  const maySave = mayCall('insights.segments.save', role);
  if (segments.length === 0 && !isGone && !maySave) return null;

  const finish = async (segment: number | null | undefined) => {
    setForm(null);
    await client.invalidateQueries({ queryKey: trpc.insights.segments.pathKey() });
    if (segment === null) navigate(addressOf(path, { ...left, segment: null }), { replace: true });
    // The filters are in the segment now.
    else if (segment !== undefined)
      navigate(addressOf(path, { ...question, segment, edited: null, filters: null, people: null }));
  };

  return (
    <>
      <Popover
        list
        label={text.choose}
        triggerClass={classNames(smallButtonClass, !chosen && 'no-print')}
        className={css['segments']}
        trigger={
          <>
            <span className={css['name']}>{chosen?.name ?? text.label}</span>
            <Icon name="down" small />
          </>
        }
      >
        {segments.length === 0 && <p className={css['empty']}>{isFiltered ? text.emptyFiltered : text.empty}</p>}
        {segments.length > 0 && (
          <Choice href={addressOf(path, { ...left, segment: null })} isCurrent={chosen === null}>
            {text.none}
          </Choice>
        )}
        {[segments.filter(({ shared }) => shared), segments.filter(({ shared }) => !shared)].map((list, place) => (
          <List key={place === 0 ? 'shared' : 'own'} title={place === 0 ? text.shared : text.own} segments={list}>
            {(segment) => (
              <Choice href={addressOf(path, { ...left, segment: segment.id })} isCurrent={segment === chosen}>
                {segment.name}
              </Choice>
            )}
          </List>
        ))}
        {maySave && (isFiltered || chosen?.isMine) && (
          <div className={css['actions']}>
            {isFiltered && (
              <button type="button" className={optionClass()} onClick={() => setForm('save')}>
                {text.save}
              </button>
            )}
            {chosen?.isMine && (
              <button type="button" className={optionClass()} onClick={() => setForm('change')}>
                {text.rename} / {text.remove}
              </button>
            )}
          </div>
        )}
      </Popover>
      {isGone && (
        <p role="status" className={css['gone']}>
          <Icon name="info" small /> {text.gone}{' '}
          <Link href={addressOf(path, { ...question, segment: null })} className="link">
            {text.showEverybody}
          </Link>
        </p>
      )}
      {form !== null && (
        <Late>
          <SegmentForm
            project={project}
            segment={form === 'change' ? chosen : null}
            filters={question.filters}
            people={question.people}
            onClose={() => setForm(null)}
            onDone={finish}
          />
        </Late>
      )}
    </>
  );
}

function List(props: { title: string; segments: Segment[]; children(segment: Segment): ReactNode }) {
  const { title, segments, children } = props;
  if (segments.length === 0) return null;
  return (
    <OptionGroup title={title}>
      <ul>
        {segments.map((segment) => (
          <li key={segment.id}>{children(segment)}</li>
        ))}
      </ul>
    </OptionGroup>
  );
}

function Choice({ href, isCurrent, children }: { href: string; isCurrent: boolean; children: string }) {
  return (
    <Link href={href} className={optionClass(isCurrent)} aria-current={isCurrent ? 'true' : undefined}>
      <span className="clip">{children}</span>
    </Link>
  );
}
