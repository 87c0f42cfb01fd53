/** How mails look. Styles are inline, since that is what mail programs draw; those that know dark themes and narrow screens read the sheet. */
import type { CSSProperties } from 'react';

export const FONT = "-apple-system,'Segoe UI',Roboto,Arial,sans-serif";

/** By role: the light theme, and the dark one. */
const colors = {
  paper: ['#f5f3ee', '#0b1420'],
  sheet: ['#ffffff', '#14202f'],
  ink: ['#0f1c2e', '#e9edf2'],
  ink2: ['#3c4b61', '#b6c1cf'],
  ink3: ['#5a687c', '#8e9bae'],
  line: ['#e6e3dc', '#2b3a4e'],
  rule: ['#97a1ae', '#4f5d72'],
  link: ['#1f5fa6', '#7db8f0'],
  bar: ['#1f5fa6', '#6db1f2'],
  peak: ['#a06d10', '#d19c34'],
  track: ['#eae7e0', '#1c2939'],
  good: ['#0a6e55', '#4fc29c'],
  bad: ['#b03a2e', '#f0897a'],
  button: ['#0f1c2e', '#e9edf2'],
  onButton: ['#fcfbf8', '#0f1c2e'],
  heat0: ['#f3f4f3', '#111c2a'],
  heat1: ['#c0dcf4', '#0b365b'],
  heat2: ['#6cabdb', '#226ba4'],
  heat3: ['#2779ad', '#64a6d7'],
  heat4: ['#08496c', '#add3ef'],
} as const;
export type Color = keyof typeof colors;

export const light = (color: Color): string => colors[color][0];

/** The class by which the dark theme changes a text colour or background. */
export const inkClass = (color: Color): string => `c-${color}`;
export const groundClass = (color: Color): string => `b-${color}`;

export function text(size: number, height: number, color: Color): CSSProperties {
  return { fontFamily: FONT, fontSize: size, lineHeight: `${height}px`, color: light(color) };
}

const dark = (Object.keys(colors) as Color[])
  .map(
    (color) => `.c-${color}{color:${colors[color][1]}!important}.b-${color}{background:${colors[color][1]}!important}`,
  )
  .join('');

/** For programs that read it; the others show the light theme, at 600 pixels or less. */
export const sheetOfStyles = [
  ':root{color-scheme:light dark;supported-color-schemes:light dark}',
  `@media (prefers-color-scheme:dark){${dark}.l{border-color:${colors.line[1]}!important}.r{border-color:${colors.rule[1]}!important}}`,
  '@media (max-width:480px){.p{padding-left:16px!important;padding-right:16px!important}.f{font-size:20px!important}.g{padding:12px 6px!important}.k{padding:0 4px!important}}',
].join('');
