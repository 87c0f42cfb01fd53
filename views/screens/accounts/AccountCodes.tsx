/** Codes of an app as the second step: turned on with a first code, off with a proof; recovery codes are shown once. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CodeSetUp, OwnAccount } from '#src/accounts/own/contract.ts';
import { AskFirst } from '#views/kit/AskFirst.tsx';
import { Button } from '#views/kit/Button.tsx';
import { CopyButton } from '#views/kit/CodeBlock.tsx';
import { FormError, TextField } from '#views/kit/Field.tsx';
import { Problem } from '#views/kit/Problem.tsx';
import { useProof } from '#views/kit/ProofDialog.tsx';
import { Buttons, Section } from '#views/kit/Section.tsx';
import { showToast } from '#views/kit/toast.tsx';
import { useForm } from '#views/kit/use-form.ts';
import { useTrpc } from '#views/trpc.ts';
import { accountWords } from '#views/words/account.ts';
import { usePart, useWords } from '#views/words/words.tsx';
import css from './AccountCodes.module.css';
import { AccountForm } from './AccountForm.tsx';

export function AccountCodes({ account }: { account: OwnAccount }) {
  const { codes: text } = usePart(accountWords);
  const trpc = useTrpc();
  const client = useQueryClient();
  const [setUp, setSetUp] = useState<CodeSetUp | null>(null);
  const [recovery, setRecovery] = useState<string[] | null>(null);
  const [isKept, setIsKept] = useState(false);
  const show = (made: string[]) => {
    setSetUp(null);
    setRecovery(made);
    void client.invalidateQueries({ queryKey: trpc.accounts.own.get.queryKey() });
  };
  return (
    <Section title={text.title} text={text.text}>
      {recovery !== null ? (
        <Recovery
          codes={recovery}
          onKept={() => {
            setIsKept(true);
            setRecovery(null);
          }}
        />
      ) : account.hasCodes ? (
        <On account={account} isArrivedAt={isKept} onCodes={show} />
      ) : setUp !== null ? (
        <First setUp={setUp} onCodes={show} onCancel={() => setSetUp(null)} />
      ) : (
        <Off onBegun={setSetUp} />
      )}
    </Section>
  );
}

function Off({ onBegun }: { onBegun(setUp: CodeSetUp): void }) {
  const { codes: text } = usePart(accountWords);
  const trpc = useTrpc();
  const begin = useMutation(trpc.accounts.own.beginCodes.mutationOptions());
  const { prove, dialog } = useProof();
  const turnOn = () =>
    prove(() => begin.mutateAsync()).then(
      (made) => made && onBegun(made),
      () => undefined, // shown below
    );
  return (
    <>
      <p>{text.off}</p>
      <FormError>{begin.error && !isProofAsked(begin.error) && <Problem error={begin.error} />}</FormError>
      <Buttons>
        <Button busy={begin.isPending && text.beginning} onClick={() => void turnOn()}>
          {text.turnOn}
        </Button>
      </Buttons>
      {dialog}
    </>
  );
}

function First(props: { setUp: CodeSetUp; onCodes(codes: string[]): void; onCancel(): void }) {
  const { setUp, onCodes, onCancel } = props;
  const { codes: text, cancel } = usePart(accountWords);
  const trpc = useTrpc();
  const confirm = useMutation(trpc.accounts.own.confirmCodes.mutationOptions());
  const form = useForm<'code'>({
    check: ({ code }) => (/^\s*(\d\s*){6}$/.test(code) ? {} : { code: text.codeHint }),
    send: async ({ code }) => onCodes(await confirm.mutateAsync({ code })),
    words: ({ code }) => (code === 'invalid' ? { code: text.wrong } : null),
  });
  return (
    <>
      <p ref={focusOnce} tabIndex={-1}>
        {text.scan}
      </p>
      {/* QR code readers need dark on light, also in the dark theme. */}
      <svg className={css['picture']} viewBox={`0 0 ${setUp.size} ${setUp.size}`} role="img" aria-label={text.picture}>
        <rect width={setUp.size} height={setUp.size} fill="white" />
        <path d={setUp.path} fill="black" shapeRendering="crispEdges" />
      </svg>
      <div className={css['key']}>
        <p>{text.type}</p>
        <p className={`${css['secret']} mono`}>{setUp.secret}</p>
        <Buttons>
          <CopyButton text={setUp.secret.replaceAll(' ', '')} label={text.copyKey} />
        </Buttons>
      </div>
      <AccountForm
        form={form}
        submit={text.confirm}
        busy={text.confirming}
        more={
          <Button kind="quiet" onClick={onCancel}>
            {cancel}
          </Button>
        }
      >
        <TextField
          label={text.code}
          hint={text.codeHint}
          error={form.errors.code}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={12}
          required
        />
      </AccountForm>
    </>
  );
}

function Recovery({ codes, onKept }: { codes: string[]; onKept(): void }) {
  const { codes: text } = usePart(accountWords);
  return (
    <>
      <div role="status">
        <h3 ref={focusOnce} tabIndex={-1}>
          {text.recovery}
        </h3>
        <p className={css['explained']}>{text.recoveryText}</p>
      </div>
      <ul className={`${css['codes']} mono`}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Buttons>
        <Button onClick={onKept}>{text.kept}</Button>
        <CopyButton text={codes.join('\n')} label={text.copy} />
      </Buttons>
    </>
  );
}

interface OnProps {
  account: OwnAccount;
  /** Something else stood here until now: reading goes on here. */
  isArrivedAt: boolean;
  onCodes(codes: string[]): void;
}

function On({ account, isArrivedAt, onCodes }: OnProps) {
  const { codes: text } = usePart(accountWords);
  const { format } = useWords();
  const trpc = useTrpc();
  const client = useQueryClient();
  const renew = useMutation(trpc.accounts.own.renewRecoveryCodes.mutationOptions());
  const off = useMutation(trpc.accounts.own.turnCodesOff.mutationOptions());
  const { prove, dialog } = useProof();
  const [isConfirming, setIsConfirming] = useState(false);
  const left = account.recoveryCodesLeft;
  const makeNew = () =>
    prove(() => renew.mutateAsync()).then(
      (made) => made && onCodes(made),
      () => undefined, // shown below
    );
  const turnOff = async () => {
    const done = await prove(async () => {
      await off.mutateAsync();
      return true;
    });
    if (!done) return;
    await client.invalidateQueries({ queryKey: trpc.accounts.own.get.queryKey() });
    showToast(text.turnedOff);
  };
  return (
    <>
      <p ref={isArrivedAt ? focusOnce : undefined} tabIndex={-1}>
        {text.on} {text.left(format.number(left), left === 1)}
      </p>
      <FormError>{renew.error && !isProofAsked(renew.error) && <Problem error={renew.error} />}</FormError>
      <Buttons>
        <Button busy={renew.isPending && text.renewing} onClick={() => void makeNew()}>
          {text.renew}
        </Button>
        <Button className={css['danger']} onClick={() => setIsConfirming(true)}>
          {text.turnOff}
        </Button>
      </Buttons>
      {isConfirming && (
        <AskFirst
          title={text.offTitle}
          text={text.offText}
          action={text.turnOff}
          busy={text.turningOff}
          onConfirm={turnOff}
          onClose={() => setIsConfirming(false)}
        />
      )}
      {dialog}
    </>
  );
}

/** The button that was pressed is gone: keyboard and screen reader go on from here. */
function focusOnce(element: HTMLElement | null): void {
  element?.focus();
}

/** The dialog asks for it: no failure to show. */
function isProofAsked(error: unknown): boolean {
  return (error as { data?: { field?: string } }).data?.field === 'proof';
}
