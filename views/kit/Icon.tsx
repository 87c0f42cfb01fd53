/** Our own icons: 16 units, one stroke, drawn in the page so that the first paint has them. Decoration: the text beside says it. */
import { classNames } from './class-names.ts';
import css from './Icon.module.css';

const paths = {
  arrowUp: 'M8 12.5v-9M4.5 7L8 3.5 11.5 7',
  bell: 'M4 11V7a4 4 0 0 1 8 0v4l1.5 1.5h-11zM6.5 14h3',
  calendar: 'M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 2v3M10.5 2v3',
  chart: 'M2 13h12M3.5 10.5l3-4 3 2.5 3-5.5',
  check: 'M3 8.5l3.5 3.5L13 4.5',
  copy: 'M5.5 5.5h8v8h-8zM5.5 10.5h-3v-8h8v3',
  dashboard: 'M2.5 2.5h11v11h-11zM2.5 6h11M6.5 6v7.5',
  down: 'M4.5 6.5L8 10l3.5-3.5',
  error: 'M8 2.2l6.3 11.1H1.7zM8 6.5v3M8 11.3v.1',
  filter: 'M2 4h12M4.5 8h7M6.5 12h3',
  flag: 'M3.5 14V2.5M3.5 3h8.5l-2 3 2 3H3.5',
  info: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 7.5v3.5M8 5v.1',
  intake: 'M8 2v7M5 6l3 3 3-3M2.5 9.5v4h11v-4',
  left: 'M9.5 4L5.5 8l4 4',
  link: 'M6.5 9.5l3-3M7 4.8l1.4-1.4a2.9 2.9 0 0 1 4.1 4.1L11 9M9 11.2l-1.4 1.4a2.9 2.9 0 0 1-4.1-4.1L5 7',
  live: 'M8 6a2 2 0 1 1 0 4 2 2 0 0 1 0-4zM4.1 11.9a5.5 5.5 0 0 1 0-7.8M11.9 4.1a5.5 5.5 0 0 1 0 7.8',
  lock: 'M3.5 7h9v6.5h-9zM5.5 7V5a2.5 2.5 0 0 1 5 0v2',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  moon: 'M13.3 9.6A5.8 5.8 0 0 1 6.4 2.7a5.8 5.8 0 1 0 6.9 6.9z',
  mail: 'M2.5 4h11v8h-11zM2.5 4.5L8 9l5.5-4.5',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  offline: 'M2 2l12 12M4.8 9.2A4.5 4.5 0 0 1 8 8M2.5 6.5a8 8 0 0 1 2.7-1.7M8 4.5c2.2 0 4.1.7 5.5 2M8 12.5v.1',
  overview: 'M2 13h12M3.5 10.5l3-4 3 2.5 3-5.5',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  people:
    'M6 3a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5zM1.5 13.5c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M10.5 3.2a2.5 2.5 0 0 1 0 4.6M12 9.9c1.5.5 2.5 1.8 2.5 3.6',
  play: 'M5 3.5v9L12.5 8z',
  plus: 'M8 3v10M3 8h10',
  refresh: 'M13 8a5 5 0 1 1-1.5-3.5M13 2.5v3h-3',
  right: 'M6.5 4l4 4-4 4',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.5 10.5L14 14',
  sliders: 'M2 5h6M12 5h2M10 3a2 2 0 1 1 0 4 2 2 0 0 1 0-4zM2 11h2M8 11h6M6 9a2 2 0 1 1 0 4 2 2 0 0 1 0-4z',
  star: 'M8 2.2l1.8 3.7 4 .6-2.9 2.8.7 4L8 11.4l-3.6 1.9.7-4L2.2 6.5l4-.6z',
  table: 'M2.5 3.5h11v9h-11zM2.5 6.5h11M2.5 9.5h11M7 3.5v9',
  updown: 'M5 6.5l3-3 3 3M5 9.5l3 3 3-3',
  x: 'M4 4l8 8M12 4l-8 8',
} as const;

export type IconName = keyof typeof paths;

export function Icon({
  name,
  small = false,
  className,
}: {
  name: IconName;
  small?: boolean;
  className?: string | undefined;
}) {
  return (
    <svg className={classNames(css['icon'], small && css['small'], className)} viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

/** The logomark: a spyglass seen down its barrel, which is also a small moon. */
export function Mark() {
  return (
    <svg className={css['mark']} viewBox="0 0 24 24" aria-hidden="true">
      <circle className={css['tube']} cx="12" cy="12" r="11" />
      <circle className={css['gap']} cx="13.6" cy="10.4" r="7.4" />
      <circle className={css['core']} cx="15" cy="9" r="4.2" />
    </svg>
  );
}

/** The ring that marks the point in focus; `live` lets it ping. */
export function Lens({
  live = false,
  large = false,
  filled = false,
}: {
  live?: boolean;
  large?: boolean;
  filled?: boolean;
}) {
  return (
    <span
      className={classNames(css['lens'], live && css['live'], large && css['large'], filled && css['filled'])}
      aria-hidden="true"
    />
  );
}
