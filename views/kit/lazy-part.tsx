/**
 * A part of a screen whose code comes after the first load, and with it the styles that only it needs. The server has it from the start,
 * so the page is whole; the browser leaves the part's markup as it is and takes it over when its code is there.
 */
import { type ComponentType, lazy, useState } from 'react';
import { useBoot } from '#views/settings.ts';

/** @param name of the part's file, without its ending: the build keeps the part's style sheet under it */
export function lazyPart<Props extends object>(
  name: string,
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;

  async function start(): Promise<{ default: ComponentType<Props> }> {
    loaded = await load();
    return { default: loaded };
  }

  const Later = lazy(start) as unknown as ComponentType<Props>;
  // A failure here shows again, and is reported, where the part is drawn.
  if (typeof document === 'undefined') start().catch(() => undefined);

  // biome-ignore lint/correctness/noComponentHookFactories: called once per part, where the part is declared
  return function Part(props: Props) {
    // Chosen once, or the part would lose its state when its code has come.
    const [Chosen] = useState(() => loaded ?? Later);
    const href = useBoot().partStyles[name];
    return (
      <>
        {href && <link rel="stylesheet" href={href} precedence="part" />}
        <Chosen {...props} />
      </>
    );
  };
}
