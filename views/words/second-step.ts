/** Words of the second step, of passkeys at sign-in, and of the link that confirms a new address. */
import type { Part } from './part.ts';

const en = {
  secondStep: {
    title: 'One more step',
    lead: 'Enter the code that your authenticator app shows.',
    recoveryLead: 'Enter one of the recovery codes that you kept. It works once.',
    code: 'Code',
    recovery: 'Recovery code',
    submit: 'Sign in',
    busy: 'Checking…',
    useRecovery: 'Use a recovery code',
    useCode: 'Use a code of the app',
    usePasskey: 'Use a passkey',
    empty: 'Enter the code.',
    wrong: 'This code is not right, or was used already. Wait for the next one.',
    wrongRecovery: 'This recovery code is not right, or was used already.',
    unreadable: 'Codes of the app cannot be checked here at the moment. Use a recovery code.',
    expired: 'This took too long',
    expiredText: 'The first step is more than ten minutes ago. Begin again.',
    again: 'Back to sign-in',
    elsewhere: 'Neither at hand? Ask whoever runs this Luneta.',
  },

  signInWithPasskey: 'Sign in with a passkey',

  newEmail: {
    title: 'Confirm your new e-mail',
    lead: (email: string) => `From now on your account would have the address ${email}.`,
    submit: 'Yes, change it',
    busy: 'Changing…',
    done: 'E-mail changed',
    doneText: (email: string) => `Your account now has the address ${email}. The one before has been told.`,
    on: 'Continue',
    dead: 'This link does not work any more',
    deadText: 'It was used, it is too old, or a newer one was sent. Ask for a new one under your account.',
    taken: 'Another account has this address by now. Nothing was changed.',
  },
};

const ptBR: typeof en = {
  secondStep: {
    title: 'Mais uma etapa',
    lead: 'Digite o código que o aplicativo autenticador mostra.',
    recoveryLead: 'Digite um dos códigos de recuperação que você guardou. Ele vale uma vez.',
    code: 'Código',
    recovery: 'Código de recuperação',
    submit: 'Entrar',
    busy: 'Conferindo…',
    useRecovery: 'Usar um código de recuperação',
    useCode: 'Usar um código do aplicativo',
    usePasskey: 'Usar uma chave de acesso',
    empty: 'Digite o código.',
    wrong: 'Este código não está certo ou já foi usado. Espere o próximo.',
    wrongRecovery: 'Este código de recuperação não está certo ou já foi usado.',
    unreadable: 'Os códigos do aplicativo não podem ser conferidos aqui no momento. Use um código de recuperação.',
    expired: 'Demorou demais',
    expiredText: 'A primeira etapa foi há mais de dez minutos. Comece de novo.',
    again: 'Voltar para o login',
    elsewhere: 'Nenhum à mão? Fale com quem opera esta Luneta.',
  },

  signInWithPasskey: 'Entrar com uma chave de acesso',

  newEmail: {
    title: 'Confirme seu novo e-mail',
    lead: (email) => `A partir de agora, sua conta teria o endereço ${email}.`,
    submit: 'Sim, trocar',
    busy: 'Trocando…',
    done: 'E-mail trocado',
    doneText: (email) => `Sua conta agora tem o endereço ${email}. O anterior foi avisado.`,
    on: 'Continuar',
    dead: 'Este link não vale mais',
    deadText: 'Ele foi usado, é antigo demais ou há um mais novo. Peça outro na sua conta.',
    taken: 'Outra conta já tem este endereço. Nada mudou.',
  },
};

export const secondStepWords: Part<typeof en> = { en, 'pt-BR': ptBR };
