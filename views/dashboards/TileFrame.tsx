/** A tile: its heading, what is said beside it, and its content, which loads and fails alone. */
import { createContext, type ReactNode, useContext } from 'react';
import type { Tile } from '#src/dashboards/contract.ts';
import { classNames } from '#views/kit/class-names.ts';
import { Link } from '#views/kit/Link.tsx';
import css from './Tiles.module.css';

export interface TileFrameProps {
  title: string;
  href?: string | undefined;
  note?: ReactNode;
  children: ReactNode;
}

const LinkContext = createContext(true);

export interface UnlinkedProps {
  children: ReactNode;
}

/** Tiles for readers who may not go to what they show. */
export function Unlinked({ children }: UnlinkedProps) {
  return <LinkContext value={false}>{children}</LinkContext>;
}

export function TileFrame({ title, href, note, children }: TileFrameProps) {
  const isLinked = useContext(LinkContext);
  return (
    <>
      <div className={css['head']}>
        <h2>
          {href === undefined || !isLinked ? (
            title
          ) : (
            <Link href={href} ahead={false}>
              {title}
            </Link>
          )}
        </h2>
        {note && <span className="dim">{note}</span>}
      </div>
      {children}
    </>
  );
}

type TileSize = Pick<Tile, 'kind' | 'width' | 'height' | 'tabletWidth'>;

/** Width and height of a tile in the grid. */
export function tileClass({ kind, width, height, tabletWidth }: TileSize): string | undefined {
  const tablet = tabletWidth !== undefined && css[`t${tabletWidth}`];
  return classNames(css['tile'], css[`w${width}`], css[`h${height}`], tablet, kind === 'heading' && css['heading']);
}
