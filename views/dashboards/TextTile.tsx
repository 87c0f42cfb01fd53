/** Markdown in a tile. HTML in it is text, and links lead nowhere but to pages and addresses of mail. */
import Markdown from 'markdown-to-jsx';
import type { ReactNode } from 'react';
import css from './Tiles.module.css';

export interface TextTileProps {
  text: string;
}

/** A text tile has no heading of its own, so these are on the level of other tiles' headings. They have no names that links could mean. */
const heading = { component: ({ children }: { children?: ReactNode }) => <h2>{children}</h2> };
const markdownOptions = {
  disableParsingRawHTML: true,
  forceBlock: true,
  overrides: { h1: heading, h2: heading, h3: heading, h4: heading, h5: heading, h6: heading },
};

export function TextTile({ text }: TextTileProps) {
  return (
    <div className={css['text']}>
      <Markdown options={markdownOptions}>{text}</Markdown>
    </div>
  );
}
