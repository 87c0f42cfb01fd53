/** Words of the dialog that asks for a proof, and of passkeys where they are asked for. */
import type { Part } from './part.ts';

const en = {
  title: 'Is it you?',
  lead: 'This needs a fresh proof that it is you. It counts for ten minutes.',
  password: 'Password',
  submit: 'Continue',
  busy: 'Checking…',
  passkey: 'Use a passkey',
  passkeyBusy: 'Waiting for your device…',
  cancel: 'Cancel',
  neither: 'Your account has neither a password nor a passkey. Sign out and in again, then come back here.',
  wrong: 'This is not your password. Check it and try again.',
  wait: (seconds: string) => `Too many attempts. Try again in ${seconds} s.`,
  passkeyProblems: {
    cancelled: 'Nothing came from your device: it was cancelled, or took too long. Try again.',
    known: 'This device is registered already.',
    unsupported: 'Passkeys do not work at this address: they need https and a host name.',
    refused: 'This passkey was not accepted. Try again, or use another way.',
  },
};

const ptBR: typeof en = {
  title: 'Confirme que é você',
  lead: 'Esta ação pede uma nova confirmação. Ela vale por dez minutos.',
  password: 'Senha',
  submit: 'Continuar',
  busy: 'Conferindo…',
  passkey: 'Usar uma chave de acesso',
  passkeyBusy: 'Esperando o seu aparelho…',
  cancel: 'Cancelar',
  neither: 'Sua conta não tem senha nem chave de acesso. Saia, entre de novo e volte aqui.',
  wrong: 'Esta não é a sua senha. Confira e tente de novo.',
  wait: (seconds) => `Tentativas demais. Tente de novo em ${seconds} s.`,
  passkeyProblems: {
    cancelled: 'Nada chegou do seu aparelho: foi cancelado ou demorou demais. Tente de novo.',
    known: 'Este aparelho já está cadastrado.',
    unsupported: 'Chaves de acesso não funcionam neste endereço: precisam de https e de um nome de host.',
    refused: 'Esta chave de acesso não foi aceita. Tente de novo ou entre de outra forma.',
  },
};

export const proofWords: Part<typeof en> = { en, 'pt-BR': ptBR };
