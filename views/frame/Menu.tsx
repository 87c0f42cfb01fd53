/**
 * What opens at the person's name: all projects, one's own account, leaving; and how everything looks. Its code comes after the first
 * load; the markup is there from the start, so theme and language can be chosen without JavaScript.
 */
import { Icon } from '#views/kit/Icon.tsx';
import { Link } from '#views/kit/Link.tsx';
import { optionClass } from '#views/kit/Popover.tsx';
import { signOut } from '#views/post.ts';
import { plainWords } from '#views/words/plain.ts';
import { usePart } from '#views/words/words.tsx';
import { Appearance } from './Appearance.tsx';

export function Menu() {
  const part = usePart(plainWords);
  return (
    <>
      <Link href="/" className={optionClass()}>
        <Icon name="table" />
        {part.home}
      </Link>
      <Link href="/account" className={optionClass()}>
        <Icon name="lock" />
        {part.account}
      </Link>
      <Appearance />
      <button type="button" className={`${optionClass()} script-only`} onClick={() => void signOut()}>
        <Icon name="right" />
        {part.signOut}
      </button>
    </>
  );
}
