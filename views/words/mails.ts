/** What the mails say. Server only: no screen loads this. */
import type { MailData, MailKind } from '#src/mail/contract.ts';
import type { Role } from '#src/projects/contract.ts';
import { en as english } from './en.ts';
import { type Format, formatOf } from './format.ts';
import type { Part } from './part.ts';
import { ptBR as portuguese } from './pt-br.ts';

/** A mail in words; drawn by views/mails. */
export interface Letter {
  subject: string;
  /** What a list of mails shows after the subject. */
  preview: string;
  title: string;
  paragraphs: string[];
  action: { label: string; link: string };
  /** Small, under the button. */
  notes: string[];
  /** Why this reader got it; at the very end. */
  reason: string;
}

type Letters = { [Kind in MailKind]: (data: MailData[Kind]) => Letter };

interface Catalogue {
  letters: Letters;
  /** Before the link written out, for readers whose button does not work. */
  plainLink: string;
}

const moment = (format: Format, ms: number, timeZone: string): string =>
  `${format.dayTime(ms, timeZone)}, ${format.zone(ms, timeZone)}`;

const enFormat = formatOf(english);
const enRoles: Record<Role, string> = { viewer: 'viewer', member: 'member', admin: 'admin', owner: 'owner' };
const enOnce = (minutes: number): string => `The link works once, for ${minutes} minutes.`;
const enUnasked = 'If this was not you, ignore this mail: without the link nothing happens.';

const en: Catalogue = {
  plainLink: 'If the button does not work, open this address:',
  letters: {
    verifyEmail: ({ link, minutes }) => ({
      subject: 'Confirm your e-mail address',
      preview: 'One step left for your account.',
      title: 'Confirm your e-mail address',
      paragraphs: ['An account in Luneta was created with this address. Confirm that it is yours.'],
      action: { label: 'Confirm address', link },
      notes: [enOnce(minutes), enUnasked],
      reason: 'You receive this because somebody created an account with this address.',
    }),
    magicLink: ({ link, minutes }) => ({
      subject: 'Your link to sign in',
      preview: `Works once, for ${minutes} minutes.`,
      title: 'Sign in to Luneta',
      paragraphs: ['Here is the link you asked for. It signs you in without a password.'],
      action: { label: 'Sign in', link },
      notes: [enOnce(minutes), enUnasked, 'Do not pass it on: whoever has it can sign in as you.'],
      reason: 'You receive this because a link to sign in was asked for with this address.',
    }),
    resetPassword: ({ link, minutes }) => ({
      subject: 'Choose a new password',
      preview: `The link works for ${minutes} minutes.`,
      title: 'Choose a new password',
      paragraphs: ['Somebody asked for a new password for your account. Your present one works until you change it.'],
      action: { label: 'Choose a new password', link },
      notes: [enOnce(minutes), enUnasked],
      reason: 'You receive this because a new password was asked for with this address.',
    }),
    emailChangeConfirm: ({ link, minutes }) => ({
      subject: 'Confirm your new e-mail address',
      preview: 'Your account changes to this address once you confirm.',
      title: 'Confirm your new e-mail address',
      paragraphs: ['You asked to use this address for your account in Luneta. It changes once you confirm.'],
      action: { label: 'Confirm new address', link },
      notes: [enOnce(minutes), enUnasked],
      reason: 'You receive this because an account asked to change to this address.',
    }),
    emailChanged: ({ link, newAddress, at, timeZone }) => ({
      subject: 'Your e-mail address was changed',
      preview: `The account now belongs to ${newAddress}.`,
      title: 'Your e-mail address was changed',
      paragraphs: [
        `On ${moment(enFormat, at, timeZone)}, the address of your account was changed to ${newAddress}. This one no longer signs in.`,
        'If that was you, there is nothing to do. If not, somebody else can use your account: write to an owner of your team now, and let them take it out of the team.',
      ],
      action: { label: 'Open Luneta', link },
      notes: [],
      reason: 'You receive this because this was the address of the account.',
    }),
    passwordChanged: ({ link, at, timeZone }) => ({
      subject: 'Your password was changed',
      preview: 'All other devices were signed out.',
      title: 'Your password was changed',
      paragraphs: [
        `On ${moment(enFormat, at, timeZone)}, the password of your account was changed. All other devices were signed out.`,
        'If that was you, there is nothing to do. If not, choose a new password now.',
      ],
      action: { label: 'This was not me', link },
      notes: [],
      reason: 'You receive this because it concerns the safety of your account.',
    }),
    invitation: ({ link, inviter, team, role, days }) => ({
      subject: `${inviter} invites you to ${team}`,
      preview: 'See the numbers of the team in Luneta.',
      title: `Join ${team}`,
      paragraphs: [`${inviter} invites you to the team ${team} in Luneta, as ${enRoles[role]}.`],
      action: { label: 'Accept the invitation', link },
      notes: [
        `The link works once, for ${days} days.`,
        'If you do not know the sender, ignore this mail: without the link nothing happens.',
      ],
      reason: `You receive this because ${inviter} entered your address.`,
    }),
    teamDeletion: ({ link, team, by, deletesAt, timeZone }) => ({
      subject: `${team} will be deleted`,
      preview: `It can be undone until ${enFormat.dayTime(deletesAt, timeZone)}.`,
      title: `${team} will be deleted`,
      paragraphs: [
        `${by} asked to delete the team ${team} with all its projects and everything stored in them.`,
        `It can be undone until ${moment(enFormat, deletesAt, timeZone)}. After that nothing is left.`,
      ],
      action: { label: 'Look at it, or undo', link },
      notes: [],
      reason: `You receive this because you own the team ${team}.`,
    }),
    projectDeletion: ({ link, project, team, by, deletesAt, timeZone }) => ({
      subject: `${project} will be deleted`,
      preview: `It can be undone until ${enFormat.dayTime(deletesAt, timeZone)}.`,
      title: `${project} will be deleted`,
      paragraphs: [
        `${by} asked to delete the project ${project} of the team ${team}, with all its events, people, goals and everything else stored in it.`,
        `It goes on taking events, and the deletion can be undone, until ${moment(enFormat, deletesAt, timeZone)}. After that nothing is left.`,
      ],
      action: { label: 'Look at it, or undo', link },
      notes: [],
      reason: `You receive this because you own the team ${team}.`,
    }),
    testMail: ({ link, by }) => ({
      subject: 'Test mail from Luneta',
      preview: 'Mail works.',
      title: 'Mail works',
      paragraphs: [`${by} sent this to see whether mails arrive. They do.`],
      action: { label: 'Open Luneta', link },
      notes: [],
      reason: 'You receive this because a test was asked for.',
    }),
  },
};

const ptFormat = formatOf(portuguese);
const ptRoles: Record<Role, string> = {
  viewer: 'Leitor',
  member: 'Membro',
  admin: 'Administrador',
  owner: 'Proprietário',
};
const ptOnce = (minutes: number): string => `O link funciona uma vez, por ${minutes} minutos.`;
const ptUnasked = 'Se não foi você, ignore este e-mail: sem o link, nada acontece.';

const ptBR: Catalogue = {
  plainLink: 'Se o botão não funcionar, abra este endereço:',
  letters: {
    verifyEmail: ({ link, minutes }) => ({
      subject: 'Confirme seu endereço de e-mail',
      preview: 'Falta um passo para a sua conta.',
      title: 'Confirme seu endereço de e-mail',
      paragraphs: ['Uma conta na Luneta foi criada com este endereço. Confirme que ele é seu.'],
      action: { label: 'Confirmar endereço', link },
      notes: [ptOnce(minutes), ptUnasked],
      reason: 'Você recebe este e-mail porque alguém criou uma conta com este endereço.',
    }),
    magicLink: ({ link, minutes }) => ({
      subject: 'Seu link para entrar',
      preview: `Funciona uma vez, por ${minutes} minutos.`,
      title: 'Entre na Luneta',
      paragraphs: ['Este é o link que você pediu. Com ele você entra sem senha.'],
      action: { label: 'Entrar', link },
      notes: [ptOnce(minutes), ptUnasked, 'Não passe adiante: quem tem o link entra no seu lugar.'],
      reason: 'Você recebe este e-mail porque um link para entrar foi pedido com este endereço.',
    }),
    resetPassword: ({ link, minutes }) => ({
      subject: 'Escolha uma nova senha',
      preview: `O link funciona por ${minutes} minutos.`,
      title: 'Escolha uma nova senha',
      paragraphs: ['Alguém pediu uma nova senha para a sua conta. A atual vale até você trocá-la.'],
      action: { label: 'Escolher nova senha', link },
      notes: [ptOnce(minutes), ptUnasked],
      reason: 'Você recebe este e-mail porque uma nova senha foi pedida com este endereço.',
    }),
    emailChangeConfirm: ({ link, minutes }) => ({
      subject: 'Confirme seu novo endereço de e-mail',
      preview: 'Sua conta passa para este endereço quando você confirmar.',
      title: 'Confirme seu novo endereço de e-mail',
      paragraphs: ['Você pediu para usar este endereço na sua conta da Luneta. A troca vale quando você confirmar.'],
      action: { label: 'Confirmar novo endereço', link },
      notes: [ptOnce(minutes), ptUnasked],
      reason: 'Você recebe este e-mail porque uma conta pediu para passar para este endereço.',
    }),
    emailChanged: ({ link, newAddress, at, timeZone }) => ({
      subject: 'Seu endereço de e-mail foi trocado',
      preview: `A conta agora é de ${newAddress}.`,
      title: 'Seu endereço de e-mail foi trocado',
      paragraphs: [
        `Em ${moment(ptFormat, at, timeZone)}, o endereço da sua conta foi trocado para ${newAddress}. Este aqui não entra mais.`,
        'Se foi você, não há nada a fazer. Se não foi, outra pessoa pode usar a sua conta: escreva agora a um proprietário da equipe e peça para tirá-la da equipe.',
      ],
      action: { label: 'Abrir a Luneta', link },
      notes: [],
      reason: 'Você recebe este e-mail porque este era o endereço da conta.',
    }),
    passwordChanged: ({ link, at, timeZone }) => ({
      subject: 'Sua senha foi trocada',
      preview: 'Todos os outros aparelhos foram desconectados.',
      title: 'Sua senha foi trocada',
      paragraphs: [
        `Em ${moment(ptFormat, at, timeZone)}, a senha da sua conta foi trocada. Todos os outros aparelhos foram desconectados.`,
        'Se foi você, não há nada a fazer. Se não foi, escolha uma nova senha agora.',
      ],
      action: { label: 'Não fui eu', link },
      notes: [],
      reason: 'Você recebe este e-mail porque ele trata da segurança da sua conta.',
    }),
    invitation: ({ link, inviter, team, role, days }) => ({
      subject: `${inviter} convida você para a equipe ${team}`,
      preview: 'Veja os números da equipe na Luneta.',
      title: `Entre na equipe ${team}`,
      paragraphs: [`${inviter} convida você para a equipe ${team} na Luneta, com o papel ${ptRoles[role]}.`],
      action: { label: 'Aceitar o convite', link },
      notes: [
        `O link funciona uma vez, por ${days} dias.`,
        'Se você não conhece quem convida, ignore este e-mail: sem o link, nada acontece.',
      ],
      reason: `Você recebe este e-mail porque ${inviter} informou o seu endereço.`,
    }),
    teamDeletion: ({ link, team, by, deletesAt, timeZone }) => ({
      subject: `${team} será excluída`,
      preview: `Dá para desfazer até ${ptFormat.dayTime(deletesAt, timeZone)}.`,
      title: `${team} será excluída`,
      paragraphs: [
        `${by} pediu para excluir a equipe ${team} com todos os projetos e tudo o que está guardado neles.`,
        `Dá para desfazer até ${moment(ptFormat, deletesAt, timeZone)}. Depois disso não sobra nada.`,
      ],
      action: { label: 'Ver ou desfazer', link },
      notes: [],
      reason: `Você recebe este e-mail porque a equipe ${team} é sua.`,
    }),
    projectDeletion: ({ link, project, team, by, deletesAt, timeZone }) => ({
      subject: `${project} será excluído`,
      preview: `Dá para desfazer até ${ptFormat.dayTime(deletesAt, timeZone)}.`,
      title: `${project} será excluído`,
      paragraphs: [
        `${by} pediu para excluir o projeto ${project} da equipe ${team}, com todos os eventos, pessoas, metas e tudo o mais que está guardado nele.`,
        `Ele continua recebendo eventos, e dá para desfazer, até ${moment(ptFormat, deletesAt, timeZone)}. Depois disso não sobra nada.`,
      ],
      action: { label: 'Ver ou desfazer', link },
      notes: [],
      reason: `Você recebe este e-mail porque a equipe ${team} é sua.`,
    }),
    testMail: ({ link, by }) => ({
      subject: 'E-mail de teste da Luneta',
      preview: 'O e-mail funciona.',
      title: 'O e-mail funciona',
      paragraphs: [`${by} enviou este e-mail para ver se as mensagens chegam. Chegam.`],
      action: { label: 'Abrir a Luneta', link },
      notes: [],
      reason: 'Você recebe este e-mail porque alguém pediu um teste.',
    }),
  },
};

export const letterWords: Part<Catalogue> = { en, 'pt-BR': ptBR };
