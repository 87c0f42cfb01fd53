/** Leaving oneself out: a bookmark for this browser, filters for the whole team. */
import { settingsOf } from '#views/frame/addresses.ts';
import { CodeBlock } from '#views/kit/CodeBlock.tsx';
import { Link } from '#views/kit/Link.tsx';
import { privacyWords } from '#views/words/privacy.ts';
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

/** An address for a bookmark: opened on the site, it turns the counting of this browser off, and on again. */
function bookmarkAddress(words: { out: string; in: string; none: string }): string {
  const say = (text: string) => `alert(${JSON.stringify(text)})`;
  const code = `window.posthog?posthog.has_opted_out_capturing()?(posthog.opt_in_capturing(),${say(words.in)}):(posthog.opt_out_capturing(),${say(words.out)}):${say(words.none)}`;
  return `javascript:void(${code.replaceAll('%', '%25')})`;
}
