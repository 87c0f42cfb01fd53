/** Words of the second step, of passkeys at sign-in, and of the link that confirms a new address. */
import type { Part } from './part.ts';

const en = {
  secondStep: {
    title: 'Two-factor authentication',
    lead: 'Enter the code from your authenticator app.',
    recoveryLead: 'Enter one of your recovery codes. Each works once.',
    code: 'Authentication code',
    recovery: 'Recovery code',
    submit: 'Verify',
    busy: 'Verifying…',
    useRecovery: 'Use a recovery code',
    useCode: 'Use authenticator app',
    usePasskey: 'Use a passkey',
    empty: 'Enter the code.',
    wrong: 'Incorrect or already used code. Wait for the next one and try again.',
    wrongRecovery: 'Incorrect or already used recovery code.',
    unreadable: 'Authenticator codes can’t be verified right now. Use a recovery code.',
    expired: 'Sign-in expired',
    expiredText: 'More than 10 minutes have passed. Sign in again.',
    again: 'Back to sign-in',
    elsewhere: 'Can’t use any of these? Ask your administrator.',
  },

  signInWithPasskey: 'Sign in with a passkey',

  newEmail: {
    title: 'Confirm your new email address',
    lead: (email: string) => `Your account’s email address will change to ${email}.`,
    submit: 'Change email',
    busy: 'Changing…',
    done: 'Email changed',
    doneText: (email: string) => `Your account now uses ${email}. We’ve notified your previous address.`,
    on: 'Continue',
    dead: 'This link is no longer valid',
    deadText: 'It was used, has expired or was replaced by a newer one. Request a new link in your account.',
    taken: 'Another account now uses this address. Nothing was changed.',
  },
};

const ptBR: typeof en = {
  secondStep: {
    title: 'Verificação em duas etapas',
    lead: 'Digite o código do app autenticador.',
    recoveryLead: 'Digite um dos seus códigos de recuperação. Cada um só pode ser usado uma vez.',
    code: 'Código',
    recovery: 'Código de recuperação',
    submit: 'Entrar',
    busy: 'Verificando…',
    useRecovery: 'Usar código de recuperação',
    useCode: 'Usar código do app',
    usePasskey: 'Usar chave de acesso',
    empty: 'Digite o código.',
    wrong: 'Código incorreto ou já usado. Aguarde o próximo.',
    wrongRecovery: 'Código de recuperação incorreto ou já usado.',
    unreadable: 'Não é possível verificar códigos do app no momento. Use um código de recuperação.',
    expired: 'O tempo expirou',
    expiredText: 'Passaram mais de 10 minutos desde a primeira etapa. Entre de novo.',
    again: 'Voltar para o login',
    elsewhere: 'Sem acesso a nenhum deles? Fale com o administrador deste servidor.',
  },

  signInWithPasskey: 'Entrar com chave de acesso',

  newEmail: {
    title: 'Confirme seu novo e-mail',
    lead: (email) => `Sua conta vai usar o e-mail ${email}.`,
    submit: 'Confirmar',
    busy: 'Alterando…',
    done: 'E-mail alterado',
    doneText: (email) => `Sua conta agora usa ${email}. Avisamos o e-mail anterior.`,
    on: 'Continuar',
    dead: 'Link inválido ou expirado',
    deadText: 'Ele já foi usado, expirou ou foi substituído. Peça outro em Sua conta.',
    taken: 'Este e-mail já está em uso por outra conta. Nada foi alterado.',
  },
};

export const secondStepWords: Part<typeof en> = { en, 'pt-BR': ptBR };
