/** Leaving oneself out: a bookmark for this browser, filters for the whole team. */
import { settingsOf } from '#views/frame/addresses.ts';
import { CodeBlock } from '#views/kit/CodeBlock.tsx';
import { Link } from '#views/kit/Link.tsx';
import { privacyWords } from '#views/words/privacy.ts';
import { bookmarkAddress } from '#views/words/privacy-notice.ts';
import { usePart } from '#views/words/words.tsx';

export function OwnVisits({ project, mayChange }: { project: string; mayChange: boolean }) {
  const text = usePart(privacyWords);
  const address = bookmarkAddress({ out: text.bookmarkOut, in: text.bookmarkIn, none: text.bookmarkNone });
  return (
    <>
      <p>{text.ownBrowser}</p>
      <CodeBlock title={text.bookmark} code={address} />
      <p>{text.ownTeam}</p>
      {mayChange && (
        <p>
          <Link className="link" href={`${settingsOf(project)}?tab=collection`}>
            {text.ownFilters}
          </Link>
        </p>
      )}
    </>
  );
}
