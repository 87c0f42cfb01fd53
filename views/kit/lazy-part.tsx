/**
 * A part of a screen whose code and styles load after the first load. The server renders it,
 * so the page is complete; the browser keeps the markup and hydrates it when the code has loaded.
 */
import { type ComponentType, lazy, useState } from 'react';
import { useBoot } from '#views/settings.ts';

/** @param name of the part's file, without its ending: the build keeps the part's style sheet under it */
export function lazyPart<Props extends object>(
  name: string,
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  let later: ComponentType<Props> | null = null;

  async function start(styled?: Promise<void>): Promise<{ default: ComponentType<Props> }> {
    const component = await load();
    await styled;
    loaded = component;
    return { default: component };
  }

  // A failure here shows again, and is reported, where the part is drawn.
  if (typeof document === 'undefined') start().catch(() => undefined);

  /** The sheet before anything is drawn: React would preload it, and use it only when the code has come. */
  function begin(href: string | undefined): ComponentType<Props> {
    const coming = start(href === undefined || typeof document === 'undefined' ? undefined : sheetOf(href));
    // It shows, and is reported, where the part is drawn, which may be later.
    coming.catch(() => undefined);
    later = lazy(() => coming) as unknown as ComponentType<Props>;
    return later;
  }

  // biome-ignore lint/correctness/noComponentHookFactories: called once per part, where the part is declared
  return function Part(props: Props) {
    const href = useBoot().partStyles[name];
    // Chosen once, or the part would lose its state when its code has come.
    const [Chosen] = useState(() => loaded ?? later ?? begin(href));
    return (
      <>
        {href && <link rel="stylesheet" href={href} precedence="part" />}
        <Chosen {...props} />
      </>
    );
  };
}

/** Puts the sheet where React looks for it, unless it is there. Resolves when it has come, or cannot. */
function sheetOf(href: string): Promise<void> | undefined {
  if (document.querySelector(`link[rel=stylesheet][href="${href}"]`)) return;
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
  link.dataset['precedence'] = 'part';
  return new Promise((resolve) => {
    link.onload = link.onerror = () => resolve();
    document.head.append(link);
  });
}
