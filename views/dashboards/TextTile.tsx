/** Markdown in a tile. HTML in it is text, and links lead nowhere but to pages and addresses of mail. */
import Markdown from 'markdown-to-jsx';
import type { ReactNode } from 'react';
import css from './Tiles.module.css';

export interface TextTileProps {
  text: string;
}

/** A text tile has no title, so its headings are `h2`, as the titles of other tiles are. They have no ids that links could point to. */
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
