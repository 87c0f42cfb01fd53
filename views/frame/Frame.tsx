/** The frame around every screen: navigation at the side, on a phone above and below. It shows what there is, nothing planned. */
import { type ReactNode, useEffect, useState } from 'react';
import { classNames } from '#views/kit/class-names.ts';
import { ConnectionProvider, useConnection } from '#views/kit/connection.tsx';
import { Icon, Lens } from '#views/kit/Icon.tsx';
import { Late } from '#views/kit/Late.tsx';
import { Link } from '#views/kit/Link.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { PopoverBox } from '#views/kit/Popover.tsx';
import { Toasts } from '#views/kit/toast.tsx';
import { useNavigation } from '#views/navigation.tsx';
import type { MenuGroup } from '#views/routing.ts';
import { useWords } from '#views/words/words.tsx';
import css from './Frame.module.css';
import { useKeys } from './keys.ts';
import { LazyPanels } from './LazyPanels.tsx';
import { addressIn, offered } from './menu.ts';
import type { PanelName } from './panels.ts';
import { useAddress, useMe, useNow, useProjects, useSettingsAddress } from './queries.ts';
import { ShellScreen } from './ShellScreen.tsx';
import { Switcher, SwitcherBox } from './Switcher.tsx';

/** One popover for the buttons beside the page and below it. */
const MENU = 'menu';

const Menu = lazyPart('panels', async () => (await import('#views/areas/panels.ts')).Menu);

export function Frame({ children }: { children: ReactNode }) {
  const { words } = useWords();
  const route = useNavigation().match?.route;
  const [panel, setPanel] = useState<PanelName | null>(null);
  useKeys(setPanel);
  const search = (
    <>
      <Icon name="search" />
      <span className="clip">{words.nav.search}</span>
    </>
  );
  if (route?.frame === 'none') {
    return (
      <ConnectionProvider>
        {children}
        <Toasts />
      </ConnectionProvider>
    );
  }
  return (
    <ConnectionProvider>
      <a href="#content" className={css['skip']}>
        {words.nav.skip}
      </a>
      <div className={css['app']}>
        <header className={css['phoneBar']}>
          <Switcher />
          <button
            type="button"
            className={classNames(css['phoneSearch'], 'script-only')}
            aria-label={words.nav.search}
            onClick={() => setPanel('palette')}
          >
            <Icon name="search" />
          </button>
        </header>
        <nav className={css['side']} aria-label={words.nav.main}>
          <Switcher />
          <button type="button" className={classNames(css['find'], 'script-only')} onClick={() => setPanel('palette')}>
            {search}
            <Shortcut />
          </button>
          <h2 className={css['group']}>{words.nav.groupWatch}</h2>
          <Destinations group="watch" className={css['item']} />
          <h2 className={css['group']}>{words.nav.groupUnderstand}</h2>
          <Destinations group="understand" className={css['item']} />
          <h2 className={css['group']}>{words.nav.groupProduct}</h2>
          <Destinations group="product" className={css['item']} />
          <Settings />
          <div className={css['foot']}>
            <Intake />
            <button type="button" popoverTarget={MENU} className={classNames(css['item'], css['appearance'])}>
              <Icon name="menu" />
              <Me />
            </button>
          </div>
        </nav>
        <div className={css['main']}>{route === undefined ? <ShellScreen /> : children}</div>
        <nav className={css['tabs']} aria-label={words.nav.shortcuts}>
          <Destinations group="watch" className={css['tab']} />
          <button type="button" popoverTarget={MENU} className={css['tab']}>
            <Icon name="menu" />
            {words.nav.more}
          </button>
        </nav>
      </div>
      <SwitcherBox />
      <PopoverBox above id={MENU} label={words.nav.more} className={css['appearanceBox']}>
        <div className={css['phoneOnly']}>
          <Destinations group="understand" className={css['item']} />
          <Destinations group="product" className={css['item']} />
          <Settings />
          <Intake />
        </div>
        <Late>
          <Menu />
        </Late>
      </PopoverBox>
      <Toasts />
      <LazyPanels open={panel} onClose={() => setPanel(null)} onOpen={setPanel} />
    </ConnectionProvider>
  );
}

/** The screens of the current project, by group. */
function Destinations({ group, className }: { group: MenuGroup; className: string | undefined }) {
  const { words } = useWords();
  const address = useAddress();
  const shown = useNavigation().match?.route.path ?? '';
  const projects = useProjects();
  // There is nothing to go to.
  if (projects !== null && address === null) return null;
  const destinations = offered({ role: projects?.current?.role }).filter(({ menu }) => menu.group === group);
  return destinations.map(({ name, path, menu }) => {
    const inside = (
      <>
        <Icon name={menu.icon} />
        <span>{String(words.nav[menu.text as keyof typeof words.nav])}</span>
        {name === 'live' && <PeopleNow />}
      </>
    );
    // Without an address (the kept shell) there is nowhere to lead yet.
    const href = address && addressIn(path, { project: address.project, team: undefined });
    if (href === null) {
      return (
        <span key={name} className={className}>
          {inside}
        </span>
      );
    }
    return (
      <Link
        key={name}
        href={href}
        className={className}
        aria-current={address?.screen === name ? 'page' : shown.startsWith(`${path}/`) ? 'true' : undefined}
      >
        {inside}
      </Link>
    );
  });
}

/** The number of current visitors; nothing when there are none. */
function PeopleNow() {
  const { words, format } = useWords();
  const count = useNow()?.peopleNow ?? 0;
  if (count === 0) return null;
  return (
    <span className={classNames(css['count'], 'num')}>
      {format.number(count)}
      <span className="visually-hidden"> {words.people.now}</span>
    </span>
  );
}

/** Link to the settings that the role may see. */
function Settings() {
  const { words } = useWords();
  const route = useNavigation().match?.route;
  const href = useSettingsAddress();
  const inside = (
    <>
      <Icon name="sliders" />
      <span>{words.nav.settings}</span>
    </>
  );
  if (route === undefined) return <span className={css['item']}>{inside}</span>;
  return (
    <Link href={href} className={css['item']} aria-current={route.inSettings ? 'page' : undefined}>
      {inside}
    </Link>
  );
}

/** The signed-in user. */
function Me() {
  const { words } = useWords();
  return <span className="clip ph-no-capture">{useMe()?.name ?? words.nav.more}</span>;
}

/** Is anything coming in? */
function Intake() {
  const { words, format } = useWords();
  const { state } = useConnection();
  const now = useNow();
  const project = useProjects()?.current;
  if (state !== 'online') {
    return (
      <p className={css['intake']}>
        <Icon name="offline" />
        {words.intake.offline}
      </p>
    );
  }
  if (now === null) {
    return (
      <p className={css['intake']} aria-hidden="true">
        <span className={classNames(css['bone'], 'skeleton')} />
      </p>
    );
  }
  const rate = Math.round(now.eventsPerMinute);
  const isNew = !project?.hasOutsideEvents && now.minutes.every((people) => people === 0);
  const quiet = isNew ? words.intake.listening : words.intake.quiet;
  return (
    <p className={css['intake']}>
      <Lens live={rate > 0} />
      {rate > 0 ? words.intake.rate(rate, format.number(rate)) : quiet}
    </p>
  );
}

/** Ctrl K, or Cmd K on a Mac: known only in the browser. */
function Shortcut() {
  const [modifier, setModifier] = useState('Ctrl');
  useEffect(() => {
    if (/Mac|iPhone|iPad/.test(navigator.platform)) setModifier('⌘');
  }, []);
  return <kbd className={`${css['key']} kbd`}>{modifier} K</kbd>;
}
