/** The mails of a team, newest first; a link is fetched only on request, and is nowhere else on the page. */
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import type { MailItem } from '#src/mail/contract.ts';
import { Button, ButtonLink } from '#views/kit/Button.tsx';
import { CopyLink } from '#views/kit/CopyLink.tsx';
import { ErrorMessage } from '#views/kit/ErrorMessage.tsx';
import { State } from '#views/kit/State.tsx';
import type { ScreenProps } from '#views/screen.ts';
import { type Trpc, useTrpc } from '#views/trpc.ts';
import { mailWords } from '#views/words/mail.ts';
import { ago } from '#views/words/relative.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './Mail.module.css';

const EVERY_MS = 15_000;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

export function outboxQuery(trpc: Trpc, { params, search }: ScreenProps) {
  const before = search.get('before') ?? '';
  return trpc.mail.outbox.queryOptions({ team: Number(params['team']), ...(UUID.test(before) ? { before } : {}) });
}

export function MailList(props: ScreenProps) {
  const { words } = useWords();
  const text = usePart(mailWords);
  const trpc = useTrpc();
  const { data: me } = useSuspenseQuery(trpc.accounts.me.queryOptions());
  const { data: outbox } = useSuspenseQuery({ ...outboxQuery(trpc, props), refetchInterval: EVERY_MS });
  const team = Number(props.params['team']);
  const here = `/team/${team}/mail`;
  const isFirst = !props.search.has('before');
  const timeZone = me?.timeZone ?? 'UTC';
  return (
    <section className={css['list']} aria-labelledby="mails">
      <h2 id="mails">
        {text.list} <span className={css['note']}>{text.note}</span>
      </h2>
      {outbox.items.length === 0 ? (
        <State icon="intake" title={text.none}>
          {text.noneText}
        </State>
      ) : (
        <table className={`${css['table']} ph-no-capture`}>
          <thead>
            <tr>
              <th scope="col">{text.to}</th>
              <th scope="col">{text.state}</th>
              <th scope="col" className="wide-only">
                {text.written}
              </th>
              <th scope="col">
                <span className="visually-hidden">{text.action}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {outbox.items.map((item) => (
              <Row key={item.id} team={team} item={item} timeZone={timeZone}>
                {ago(item.createdAt, outbox.at, timeZone, words)}
              </Row>
            ))}
          </tbody>
        </table>
      )}
      <p className={css['pages']}>
        {!isFirst && (
          <ButtonLink small href={here}>
            {text.newest}
          </ButtonLink>
        )}
        {outbox.before !== null && (
          <ButtonLink small href={`${here}?before=${outbox.before}`}>
            {text.older}
          </ButtonLink>
        )}
      </p>
    </section>
  );
}

function Row({ team, item, timeZone, children }: { team: number; item: MailItem; timeZone: string; children: string }) {
  const text = usePart(mailWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const { data: status } = useSuspenseQuery(trpc.mail.status.queryOptions());
  const show = useMutation(trpc.mail.link.mutationOptions());
  const resend = useMutation(
    trpc.mail.resend.mutationOptions({
      onSettled: () => client.invalidateQueries({ queryKey: [['mail', 'outbox']] }),
    }),
  );
  const { id, to, subject, hasLink, hasCopy } = item;
  const error = show.error ?? resend.error;
  return (
    <>
      <tr>
        <th scope="row">
          <span className={css['to']}>{to}</span>
          <span className={css['subject']}>{subject}</span>
        </th>
        <td>
          <StateOf item={item} timeZone={timeZone} />
        </td>
        <td className="wide-only num">{children}</td>
        <td className={css['action']}>
          {hasCopy && (
            <ButtonLink
              small
              href={`/team/${team}/mail/${id}`}
              target="_blank"
              rel="noreferrer"
              aria-label={text.viewFor(to)}
            >
              {text.view}
            </ButtonLink>
          )}
          {hasLink && (
            <span className="script-only">
              {show.data === undefined && (
                <Button
                  small
                  icon="link"
                  aria-label={text.showFor(to)}
                  busy={show.isPending && text.showing}
                  onClick={() => show.mutate({ team, id })}
                >
                  {text.show}
                </Button>
              )}
              {status.isSetUp && (
                <Button
                  small
                  kind="quiet"
                  aria-label={text.resendTo(to)}
                  busy={resend.isPending && text.resending}
                  onClick={() => resend.mutate({ team, id })}
                >
                  {text.resend}
                </Button>
              )}
            </span>
          )}
        </td>
      </tr>
      {(show.data !== undefined || error) && (
        <tr>
          <td colSpan={4} className={css['below']}>
            {show.data !== undefined && (
              <>
                <CopyLink label={text.link(to)} link={show.data} autoFocus />
                <p className={css['note']}>{text.careful}</p>
              </>
            )}
            {error && (
              <p role="alert" className={css['failed']}>
                <ErrorMessage error={error} />
              </p>
            )}
          </td>
        </tr>
      )}
    </>
  );
}

function StateOf({ item, timeZone }: { item: MailItem; timeZone: string }) {
  const { format } = useWords();
  const text = usePart(mailWords);
  const { state, sentAt, nextAttemptAt, attempts, error } = item;
  const isWaiting = state === 'queued' && attempts > 0 && nextAttemptAt !== null;
  return (
    <>
      <span className={state === 'failed' ? css['failed'] : undefined}>
        {isWaiting ? text.again(format.dayTime(nextAttemptAt, timeZone)) : text.states[state]}
        {sentAt !== null && ` ${format.dayTime(sentAt, timeZone)}`}
      </span>
      {error !== null && <span className={css['reason']}>{text.errors[error.kind](error.detail)}</span>}
    </>
  );
}
