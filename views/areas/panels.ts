/** Panels over any page. */
export { KeyList } from '../frame/KeyList.tsx';
export { Menu } from '../frame/Menu.tsx';
export { SwitcherList } from '../frame/SwitcherList.tsx';
export { Palette } from '../palette/Palette.tsx';
