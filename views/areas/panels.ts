/** What opens over any page. */
export { KeyList } from '../frame/KeyList.tsx';
export { Menu } from '../frame/Menu.tsx';
export { Palette } from '../frame/Palette.tsx';
export { SwitcherList } from '../frame/SwitcherList.tsx';
