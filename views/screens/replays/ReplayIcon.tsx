/** Icons of this room alone, drawn as those of the kit. */
import css from '#views/kit/Icon.module.css';

const paths = {
  desktop: 'M1.5 3h13v8h-13zM5.5 13.5h5M8 11v2.5',
  expand: 'M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10',
  forward: 'M3 3.5L8 8l-5 4.5zM9 3.5L14 8l-5 4.5z',
  phone: 'M5 1.5h6v13H5zM7.5 12.5h1',
  rewind: 'M13 3.5L8 8l5 4.5zM7 3.5L2 8l5 4.5z',
} as const;

export function ReplayIcon({ name }: { name: keyof typeof paths }) {
  return (
    <svg className={css['icon']} viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
