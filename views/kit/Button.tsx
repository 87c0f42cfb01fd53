/** Buttons, and links that look like them. One `primary` in a view; `quiet` in toolbars. */
import type { ButtonHTMLAttributes, ReactNode } from 'react';
import css from './Button.module.css';
import { classNames } from './class-names.ts';
import { Icon, type IconName } from './Icon.tsx';
import { Link, type LinkProps } from './Link.tsx';

interface Look {
  kind?: 'primary' | 'quiet';
  small?: boolean;
  icon?: IconName;
  /** Only the icon is drawn; the text is its name. */
  iconOnly?: boolean;
}

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, Look {
  /** Text while the action runs: the button keeps its place, and a second press does nothing. */
  busy?: string | false;
}

export function Button({
  kind,
  small,
  icon,
  iconOnly,
  busy = false,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classNames(look({ kind, small, iconOnly }), className)}
      aria-busy={busy === false ? undefined : true}
      onClick={(event) => {
        if (busy === false) onClick?.(event);
        else event.preventDefault();
      }}
    >
      {inside({ icon, iconOnly }, busy === false ? children : busy)}
    </button>
  );
}

export function ButtonLink({ kind, small, icon, iconOnly, className, children, ...rest }: LinkProps & Look) {
  return (
    <Link {...rest} className={classNames(look({ kind, small, iconOnly }), className)}>
      {inside({ icon, iconOnly }, children)}
    </Link>
  );
}

/** A link that loads a page, for error pages that stand without the shell. */
export function PlainButtonLink({ href, kind, icon, children }: { href: string; children: ReactNode } & Look) {
  return (
    <a href={href} className={look({ kind })}>
      {inside({ icon }, children)}
    </a>
  );
}

/** For buttons that another component renders, such as the trigger of a popover. */
export const smallButtonClass = look({ small: true });

type Loose<Type> = { [Key in keyof Type]?: Type[Key] | undefined };

function look({ kind, small, iconOnly }: Loose<Look>): string | undefined {
  return classNames(css['button'], kind && css[kind], small && css['small'], iconOnly && css['square']);
}

function inside({ icon, iconOnly }: Loose<Look>, text: ReactNode): ReactNode {
  return (
    <>
      {icon && <Icon name={icon} />}
      {iconOnly ? <span className="visually-hidden">{text}</span> : text}
    </>
  );
}
