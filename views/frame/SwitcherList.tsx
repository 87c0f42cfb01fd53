/**
 * The project switcher: projects, by team when there are several; all projects; a new one, with permission. Its
 * code loads after the first load; the markup is in the page.
 */
import { useEffect, useRef, useState } from 'react';
import { mayCall } from '#src/accounts/values.ts';
import type { ProjectSummary } from '#src/projects/contract.ts';
import { Icon } from '#views/kit/Icon.tsx';
import { Link } from '#views/kit/Link.tsx';
import { OptionGroup, optionClass } from '#views/kit/Popover.tsx';
import { switcherWords } from '#views/words/switcher.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import { liveOf, overviewOf } from './addresses.ts';
import { findCommands } from './find-commands.ts';
import { type Projects, useAddress } from './queries.ts';
import css from './SwitcherList.module.css';

/** More than these are looked for by name. */
const FEW = 7;

export function SwitcherList({ list, current }: Projects) {
  const text = usePart(switcherWords);
  const { format } = useWords();
  const [typed, setTyped] = useState('');
  const top = useRef<HTMLDivElement>(null);
  const teams = [...new Map(list.map(({ team }) => [team.id, team])).values()];
  const found = findCommands(
    list.map((project) => ({ project, text: project.name, group: teams.length > 1 ? project.team.name : '' })),
    typed,
  ).map(({ project }) => project);

  // Opened again, it shows all of them.
  useEffect(() => {
    const box = top.current?.closest('[popover]');
    const clear = () => setTyped('');
    box?.addEventListener('toggle', clear);
    return () => box?.removeEventListener('toggle', clear);
  }, []);

  const rows = (projects: ProjectSummary[]) => (
    <ul>
      {projects.map((project) => (
        <Row key={project.id} project={project} isCurrent={project === current} />
      ))}
    </ul>
  );
  return (
    <div ref={top} className={css['list']}>
      {list.length > FEW && (
        <>
          <label className={`${css['search']} input script-only`}>
            <Icon name="search" />
            <input
              type="search"
              aria-label={text.search}
              placeholder={text.search}
              autoComplete="off"
              spellCheck={false}
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
              onKeyDown={(event) => {
                // The text field needs these keys itself.
                if (event.key === 'Home' || event.key === 'End') event.stopPropagation();
                if (event.key !== 'Enter') return;
                // The focus goes back to the button, which would be pressed by this very key.
                event.preventDefault();
                top.current?.querySelector('a')?.click();
              }}
            />
          </label>
          <p role="status" className="visually-hidden">
            {typed === '' ? '' : text.found(found.length, format.number(found.length))}
          </p>
        </>
      )}
      <div className={css['projects']}>
        {found.length === 0 && <p className={css['none']}>{text.none}</p>}
        {teams.length > 1 && typed === ''
          ? teams.map(({ id, name }) => (
              <OptionGroup key={id} title={name}>
                {rows(found.filter(({ team }) => team.id === id))}
              </OptionGroup>
            ))
          : rows(found)}
      </div>
      <Others list={list} current={current} />
    </div>
  );
}

function Row({ project, isCurrent }: { project: ProjectSummary; isCurrent: boolean }) {
  const target = useAddress()?.screen === 'live' ? liveOf : overviewOf;
  return (
    <li>
      <Link href={target(project.id)} className={optionClass(isCurrent)} aria-current={isCurrent ? 'true' : undefined}>
        <span className="clip">{project.name}</span>
      </Link>
    </li>
  );
}

/** In the team of the current project; where its reader may not, in another. */
function Others({ list, current }: Projects) {
  const text = usePart(switcherWords);
  const maker = [...(current ? [current] : []), ...list].find(({ role }) => mayCall('projects.create', role));
  const isOther = maker !== undefined && current !== null && maker.team.id !== current.team.id;
  return (
    <ul className={css['others']}>
      <li>
        <Link href="/" className={optionClass()}>
          <Icon name="table" />
          {text.all}
        </Link>
      </li>
      {maker && (
        <li>
          <Link href={`/team/${maker.team.id}/new-project`} className={optionClass()}>
            <Icon name="plus" />
            <span className="clip">{isOther ? text.makeIn(maker.team.name) : text.make}</span>
          </Link>
        </li>
      )}
    </ul>
  );
}
