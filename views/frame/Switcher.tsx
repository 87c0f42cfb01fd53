/** The logomark and the project's name; with two or more projects, a list to change to another. */
import { classNames } from '#views/kit/class-names.ts';
import { Icon, Mark } from '#views/kit/Icon.tsx';
import { Link } from '#views/kit/Link.tsx';
import { optionClass, PopoverBox } from '#views/kit/Popover.tsx';
import { useWords } from '#views/words/words.tsx';
import { liveOf, overviewOf } from './addresses.ts';
import { useAddress, useProjects } from './queries.ts';
import css from './Switcher.module.css';

/** One list for the buttons beside the page and above it. */
const PROJECTS = 'projects';

export function Switcher() {
  const { words } = useWords();
  const projects = useProjects();
  const name = projects?.current?.name;
  const face = (
    <>
      <Mark />
      <span className={classNames(css['name'], 'ph-no-capture')}>
        {name === undefined ? (
          <span className={classNames(css['bone'], 'skeleton')} />
        ) : (
          <span className="clip">{name}</span>
        )}
      </span>
    </>
  );
  if (name === undefined || projects === null || projects.list.length < 2) {
    return <div className={css['face']}>{face}</div>;
  }
  return (
    <button
      type="button"
      popoverTarget={PROJECTS}
      className={classNames(css['face'], css['button'])}
      aria-label={words.nav.switchProject(name)}
    >
      {face}
      <Icon name="updown" small />
    </button>
  );
}

/** The list that opens; nothing while there is no choice. */
export function SwitcherBox() {
  const { words } = useWords();
  const address = useAddress();
  const projects = useProjects();
  if (projects === null || projects.list.length < 2) return null;
  const target = address?.screen === 'live' ? liveOf : overviewOf;
  return (
    <PopoverBox list id={PROJECTS} label={words.nav.projects} className={classNames(css['box'], 'ph-no-capture')}>
      <ul>
        {projects.list.map((project) => (
          <li key={project.id}>
            <Link
              href={target(project.id)}
              className={optionClass(project === projects.current)}
              aria-current={project === projects.current ? 'true' : undefined}
            >
              <span className="clip">{project.name}</span>
            </Link>
          </li>
        ))}
      </ul>
    </PopoverBox>
  );
}
