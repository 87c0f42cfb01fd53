/**
 * What opens at the person's name: what the project does for privacy, all projects, one's own account, leaving; and how everything looks. Its code comes after the first
 * load; the markup is there from the start, so theme and language can be chosen without JavaScript.
 */
import { Icon } from '#views/kit/Icon.tsx';
import { Link } from '#views/kit/Link.tsx';
import { optionClass } from '#views/kit/Popover.tsx';
import { signOut } from '#views/post.ts';
import { plainWords } from '#views/words/plain.ts';
import { usePart } from '#views/words/words.tsx';
import { Appearance } from './Appearance.tsx';
import { useAddress, useProjects } from './queries.ts';

export function Menu() {
  const part = usePart(plainWords);
  const address = useAddress();
  const role = useProjects()?.current?.role;
  return (
    <>
      {address !== null && role !== undefined && role !== 'viewer' && (
        <Link href={`/project/${address.project}/privacy`} className={optionClass()}>
          <Icon name="info" />
          {part.privacy}
        </Link>
      )}
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
