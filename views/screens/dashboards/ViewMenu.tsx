/** How a dashboard is looked at: counted again by itself, on the whole screen, on a wall. */
import { useQueryClient } from '@tanstack/react-query';
import type { RefObject } from 'react';
import { fillScreen } from '#views/dashboards/fill-screen.ts';
import { type RefreshMinutes, readRefresh, refreshMinutes, withRefresh } from '#views/dashboards/refresh.ts';
import { dashboardWallOf } from '#views/frame/addresses.ts';
import { Icon } from '#views/kit/Icon.tsx';
import { MenuOption } from '#views/kit/MenuOption.tsx';
import { OptionGroup, Popover } from '#views/kit/Popover.tsx';
import { useNavigate } from '#views/navigation.tsx';
import { useTrpc } from '#views/trpc.ts';
import { wallWords } from '#views/words/wall.ts';
import { usePart } from '#views/words/words.tsx';
import css from './Dashboards.module.css';

interface ViewMenuProps {
  reference: string;
  dashboard: number;
  path: string;
  search: URLSearchParams;
  /** What fills the screen. */
  content: RefObject<HTMLDivElement | null>;
}

export function ViewMenu({ reference, dashboard, path, search, content }: ViewMenuProps) {
  const own = usePart(wallWords);
  const { navigate } = useNavigate();
  const trpc = useTrpc();
  const client = useQueryClient();
  const minutes = readRefresh(search);
  const text = search.toString();
  const wall = dashboardWallOf(reference, dashboard) + (text === '' ? '' : `?${text}`);
  return (
    <Popover
      label={own.view}
      align="end"
      triggerClass={css['more']}
      trigger={
        <>
          <Icon name="sliders" />
          <span className="visually-hidden">{own.view}</span>
        </>
      }
    >
      <OptionGroup title={own.autoRefresh}>
        <ul>
          {refreshMinutes.map((each: RefreshMinutes) => (
            <MenuOption
              key={each}
              pressed={each === minutes}
              run={() => navigate(withRefresh(path, search, each), { replace: true })}
            >
              {own.every[each]}
            </MenuOption>
          ))}
        </ul>
      </OptionGroup>
      <ul>
        <MenuOption run={() => client.invalidateQueries({ queryKey: trpc.insights.query.pathKey() })}>
          {own.refresh}
        </MenuOption>
        <MenuOption run={() => fillScreen(content.current)}>{own.fullScreen}</MenuOption>
        <MenuOption
          run={() => {
            fillScreen(document.documentElement);
            navigate(wall);
          }}
        >
          {own.wall}
        </MenuOption>
      </ul>
    </Popover>
  );
}
