/** Words of the dialog that asks for a proof, and of passkeys where they are asked for. */
import type { Part } from './part.ts';

const en = {
  title: 'Confirm it’s you',
  lead: 'Enter your password or use a passkey. You won’t be asked again for 10 minutes.',
  password: 'Password',
  submit: 'Continue',
  busy: 'Verifying…',
  passkey: 'Use a passkey',
  passkeyBusy: 'Waiting for your device…',
  cancel: 'Cancel',
  neither: 'Your account has no password or passkey. Sign out, sign in again, then come back here.',
  wrong: 'Incorrect password. Try again.',
  wait: (seconds: string) => `Too many attempts. Try again in ${seconds} s.`,
  passkeyProblems: {
    cancelled: 'Passkey request canceled or timed out. Try again.',
    known: 'This device already has a passkey for your account.',
    unsupported: 'Passkeys require HTTPS and a domain name. They don’t work at this address.',
    refused: 'Passkey not accepted. Try again or use another method.',
  },
};

const ptBR: typeof en = {
  title: 'Confirme que é você',
  lead: 'Use sua senha ou chave de acesso. A confirmação vale por 10 minutos.',
  password: 'Senha',
  submit: 'Continuar',
  busy: 'Verificando…',
  passkey: 'Usar chave de acesso',
  passkeyBusy: 'Aguardando o dispositivo…',
  cancel: 'Cancelar',
  neither: 'Sua conta não tem senha nem chave de acesso. Saia, entre de novo e volte a esta página.',
  wrong: 'Senha incorreta. Confira e tente de novo.',
  wait: (seconds) => `Muitas tentativas. Tente de novo em ${seconds} s.`,
  passkeyProblems: {
    cancelled: 'O dispositivo não respondeu: a ação foi cancelada ou expirou. Tente de novo.',
    known: 'Este dispositivo já está cadastrado.',
    unsupported: 'Chaves de acesso exigem HTTPS e um nome de domínio.',
    refused: 'Chave de acesso não aceita. Tente de novo ou entre de outra forma.',
  },
};

export const proofWords: Part<typeof en> = { en, 'pt-BR': ptBR };
