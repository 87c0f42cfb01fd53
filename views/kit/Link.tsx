/** A link. Inside the product it changes the place without loading a page, and prefetches when someone is about to follow it. */
import { type AnchorHTMLAttributes, type MouseEvent, type Ref, useRef } from 'react';
import { useNavigate } from '../navigation.tsx';

export interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  href: string;
  /** Takes the place of the current history entry. */
  replace?: boolean;
  /** Loads what it leads to before someone follows; not where there are many of them. */
  ahead?: boolean;
  ref?: Ref<HTMLAnchorElement>;
}

/** Shorter rests of the pointer are passing over, not aiming. */
const aimMs = 60;

export function Link({ href, replace = false, ahead = true, ref, children, ...rest }: LinkProps) {
  const { navigate, prefetch } = useNavigate();
  const aim = useRef<ReturnType<typeof setTimeout>>(undefined);

  const onClick = (event: MouseEvent<HTMLAnchorElement>) => {
    rest.onClick?.(event);
    if (event.defaultPrevented || rest.target === '_blank' || rest.download !== undefined) return;
    // A modifier or another button means a new tab, a new window or a download: the browser's business.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(href, { replace, afterPress: true });
  };

  return (
    <a
      {...rest}
      ref={ref}
      href={href}
      onClick={onClick}
      onPointerEnter={(event) => {
        rest.onPointerEnter?.(event);
        if (ahead) aim.current = setTimeout(() => prefetch(href), aimMs);
      }}
      onPointerLeave={(event) => {
        rest.onPointerLeave?.(event);
        clearTimeout(aim.current);
      }}
      onFocus={(event) => {
        rest.onFocus?.(event);
        if (ahead) prefetch(href);
      }}
    >
      {children}
    </a>
  );
}
