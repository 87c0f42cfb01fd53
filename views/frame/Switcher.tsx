/** The logomark and the project's name, at which a list opens to change to another. */
import { classNames } from '#views/kit/class-names.ts';
import { Icon, Mark } from '#views/kit/Icon.tsx';
import { Late } from '#views/kit/Late.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { PopoverBox } from '#views/kit/Popover.tsx';
import { useWords } from '#views/words/words.tsx';
import { type Projects, useProjects } from './queries.ts';
import css from './Switcher.module.css';

const SwitcherList = lazyPart<Projects>('panels', async () => (await import('#views/areas/panels.ts')).SwitcherList);

/** One list for the buttons beside the page and above it. */
const PROJECTS = 'projects';

export function Switcher() {
  const { words } = useWords();
  const projects = useProjects();
  // Without a project: a link to all projects, and to a new one.
  const name = projects === null ? undefined : (projects.current?.name ?? words.nav.projects);
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
  if (name === undefined) return <div className={css['face']}>{face}</div>;
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

/** The list that opens; nothing before the projects are known. */
export function SwitcherBox() {
  const { words } = useWords();
  const projects = useProjects();
  if (projects === null) return null;
  return (
    <PopoverBox list id={PROJECTS} label={words.nav.projects} className={classNames(css['box'], 'ph-no-capture')}>
      <Late>
        <SwitcherList {...projects} />
      </Late>
    </PopoverBox>
  );
}
