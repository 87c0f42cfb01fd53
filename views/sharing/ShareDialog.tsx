/** The link of a dashboard or an insight: made, changed, replaced, turned off. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SharedObject, ShareLink, ShareSettings } from '#src/sharing/contract.ts';
import {
  MAX_SHARE_PASSWORD,
  MIN_SHARE_PASSWORD,
  originEntry,
  type ShareFilter,
  shareFilters,
  shareThemes,
} from '#src/sharing/values.ts';
import { AskFirst } from '#views/kit/AskFirst.tsx';
import { Button, ButtonLink } from '#views/kit/Button.tsx';
import { CopyLink } from '#views/kit/CopyLink.tsx';
import { copyText } from '#views/kit/copy.ts';
import { Dialog } from '#views/kit/Dialog.tsx';
import { CheckField, FormError, SelectField, TextAreaField, TextField } from '#views/kit/Field.tsx';
import { Problem } from '#views/kit/Problem.tsx';
import { useServerTime } from '#views/kit/server-time.ts';
import { showToast } from '#views/kit/toast.tsx';
import { useForm } from '#views/kit/use-form.ts';
import { useTrpc } from '#views/trpc.ts';
import { sharingWords } from '#views/words/sharing.ts';
import { usePart } from '#views/words/words.tsx';
import { dateIn } from '#views/words/zone.ts';
import { endOfDay } from './end-of-day.ts';
import css from './ShareDialog.module.css';

export interface ShareDialogProps {
  project: string;
  of: SharedObject;
  name: string;
  /** Null: it is not shared yet. */
  link: ShareLink | null;
  timeZone: string;
  onClose(): void;
}

export function ShareDialog(props: ShareDialogProps) {
  const { project, of, name, link, onClose } = props;
  const own = usePart(sharingWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const rotate = useMutation(trpc.sharing.rotate.mutationOptions());
  const revoke = useMutation(trpc.sharing.revoke.mutationOptions());
  const now = useServerTime();
  const [asked, setAsked] = useState<'rotate' | 'revoke' | null>(null);
  const keep = (next: ShareLink | null) => {
    client.setQueryData(trpc.sharing.get.queryKey({ project, of }), next);
    void client.invalidateQueries({ queryKey: trpc.sharing.list.pathKey() });
  };
  if (asked === 'rotate') {
    return (
      <AskFirst
        title={own.rotateTitle}
        text={own.rotateText}
        action={own.rotate}
        busy={own.rotating}
        onConfirm={async () => {
          keep(await rotate.mutateAsync({ project, of }));
          showToast(own.rotated);
        }}
        onClose={() => setAsked(null)}
      />
    );
  }
  if (asked === 'revoke') {
    return (
      <AskFirst
        title={own.revokeTitle}
        text={own.revokeText}
        action={own.revoke}
        busy={own.revoking}
        onConfirm={async () => {
          await revoke.mutateAsync({ project, of });
          keep(null);
          showToast(own.revoked);
        }}
        onClose={() => setAsked(null)}
      />
    );
  }
  return (
    <Dialog label={own.shareTitle(name)} onClose={onClose} className="ph-no-capture">
      <div className={css['share']}>
        <h2>{own.shareTitle(name)}</h2>
        <p className="dim">{link?.hasPassword ? own.aboutPassword : own.about}</p>
        {link && <Link link={link} isExpired={isPast(link.expiresAt, now)} onRotate={() => setAsked('rotate')} />}
        <Settings {...props} onSaved={keep} onRevoke={() => setAsked('revoke')} />
      </div>
    </Dialog>
  );
}

interface LinkProps {
  link: ShareLink;
  isExpired: boolean;
  onRotate(): void;
}

function Link({ link, isExpired, onRotate }: LinkProps) {
  const own = usePart(sharingWords);
  // Neither it nor a new one opens anything.
  if (isExpired) return <p className={css['expired']}>{own.expired}</p>;
  return (
    <div className={css['link']}>
      {link.url === null ? <p>{own.noLink}</p> : <CopyLink label={own.link} link={link.url} copy={own.copy} />}
      <div className={css['buttons']}>
        {link.url !== null && (
          <ButtonLink small href={link.url} target="_blank" rel="noreferrer">
            {own.openPage}
          </ButtonLink>
        )}
        <Button small onClick={onRotate}>
          {own.rotate}
        </Button>
      </div>
    </div>
  );
}

type FieldName =
  | ('expires' | 'password' | 'removePassword' | 'open' | 'language' | 'theme' | 'origins')
  | `filter.${ShareFilter}`;

interface SettingsProps extends ShareDialogProps {
  onSaved(link: ShareLink): void;
  onRevoke(): void;
}

function Settings({ project, of, link, timeZone, onClose, onSaved, onRevoke }: SettingsProps) {
  const own = usePart(sharingWords);
  const { sharing } = useTrpc();
  const create = useMutation(sharing.create.mutationOptions());
  const update = useMutation(sharing.update.mutationOptions());
  const now = useServerTime();
  const form = useForm<FieldName>({
    check({ expires, origins }) {
      const wrong = linesOf(origins).find((line) => originEntry(line) === null);
      return {
        ...(isPast(expiryOf(expires, timeZone), now) && { expires: own.expiresPast }),
        ...(wrong !== undefined && { origins: own.originsWrong(wrong) }),
      };
    },
    async send(values) {
      const asked = { project, of, settings: settingsIn(values, timeZone) };
      const saved = await (link === null ? create.mutateAsync(asked) : update.mutateAsync(asked));
      // Before it is shown: what copies takes the focus for a moment.
      const isCopied = link === null && saved.url !== null && (await copyText(saved.url));
      onSaved(saved);
      if (link === null) return showToast(isCopied ? own.createdCopied : own.created);
      showToast(own.saved);
      onClose();
    },
  });
  const { failure } = form;
  return (
    <form className={css['form']} onSubmit={form.onSubmit} key={link === null ? 'new' : 'link'}>
      <TextField
        label={own.expires}
        hint={own.expiresHint}
        error={form.errors.expires}
        type="date"
        name="expires"
        defaultValue={link?.expiresAt ? dateIn(link.expiresAt - 1, timeZone) : ''}
      />
      <TextField
        label={own.password}
        hint={link?.hasPassword ? own.passwordSet : own.passwordHint}
        type="password"
        name="password"
        minLength={MIN_SHARE_PASSWORD}
        maxLength={MAX_SHARE_PASSWORD}
        autoComplete="new-password"
      />
      {link?.hasPassword && <CheckField label={own.removePassword} name="removePassword" />}
      <CheckField label={own.range} hint={own.rangeHint} name="open" defaultChecked={link?.open ?? false} />
      <fieldset className={css['filters']}>
        <legend>{own.filters}</legend>
        <p className="dim">{own.filtersHint}</p>
        <div>
          {shareFilters.map((field) => (
            <CheckField
              key={field}
              label={own.fields[field]}
              name={`filter.${field}`}
              defaultChecked={link?.filters.includes(field) ?? false}
            />
          ))}
        </div>
      </fieldset>
      <div className={css['pair']}>
        <SelectField label={own.language} name="language" defaultValue={link?.language ?? ''}>
          <option value="">{own.visitorsLanguage}</option>
          <option value="en" lang="en">
            English
          </option>
          <option value="pt-BR" lang="pt-BR">
            Português (Brasil)
          </option>
        </SelectField>
        <SelectField label={own.theme} name="theme" defaultValue={link?.theme ?? 'system'}>
          {shareThemes.map((theme) => (
            <option key={theme} value={theme}>
              {own.themes[theme]}
            </option>
          ))}
        </SelectField>
      </div>
      <TextAreaField
        label={own.origins}
        hint={own.originsHint}
        error={form.errors.origins}
        name="origins"
        rows={2}
        defaultValue={link?.origins.join('\n')}
      />
      {link?.url && link.origins.length > 0 && (
        <CopyLink label={own.embedCode} link={embedCode(link.url)} copy={own.embedCode} />
      )}
      <FormError>{failure !== null && (failure.field === 'of' ? own.people : <Problem error={failure} />)}</FormError>
      <div className={css['buttons']}>
        {link !== null && (
          <Button className={css['revoke']} onClick={onRevoke}>
            {own.revoke}
          </Button>
        )}
        <Button onClick={onClose}>{link === null ? own.cancel : own.close}</Button>
        <Button type="submit" kind="primary" busy={form.busy && own.saving}>
          {link === null ? own.create : own.save}
        </Button>
      </div>
    </form>
  );
}

function settingsIn(values: Record<FieldName, string>, timeZone: string): ShareSettings {
  const { expires, password, removePassword, open, language, theme, origins } = values;
  return {
    expiresAt: expiryOf(expires, timeZone),
    open: open !== undefined,
    filters: shareFilters.filter((field) => values[`filter.${field}`] !== undefined),
    language: language === 'en' || language === 'pt-BR' ? language : null,
    theme: shareThemes.find((each) => each === theme) ?? 'system',
    origins: linesOf(origins),
    ...(removePassword !== undefined ? { password: null } : password !== '' && { password }),
  };
}

/** Null: never. */
function expiryOf(date: string, timeZone: string): number | null {
  return date === '' ? null : endOfDay(date, timeZone);
}

function isPast(expiresAt: number | null, now: number): boolean {
  return expiresAt !== null && expiresAt <= now;
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function embedCode(url: string): string {
  return `<iframe src="${url}" width="100%" height="800" loading="lazy" style="border:0"></iframe>`;
}
