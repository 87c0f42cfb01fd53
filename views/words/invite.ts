/** Words of the screen behind the link of an invitation. */
import type { Part } from './part.ts';

const en = {
  title: 'Invitation',
  heading: (team: string) => `Join ${team}`,
  lead: (who: string | null, team: string, role: string) =>
    who === null ? `You are invited to ${team}, as ${role}.` : `${who} invites you to ${team}, as ${role}.`,
  name: 'Your name',
  emailHint: 'The invitation is for this address.',
  submit: 'Create account and join',
  busy: 'Joining…',
  haveAccount: 'You have an account with this address?',
  signIn: 'Sign in to join',
  join: 'Join',
  joining: 'Joining…',
  otherTitle: 'This invitation is for somebody else',
  otherText: (invited: string, own: string) =>
    `It is for ${invited}, and you are signed in as ${own}. Sign out to go on with the other address.`,
  signOut: 'Sign out',
  joinedTitle: (team: string) => `You are in ${team}`,
  goneTitle: 'This invitation has ended',
  goneText: 'It was used, withdrawn, or is older than 7 days. Ask whoever invited you for a new link.',
  toProjects: 'Go to the projects',
  toSignIn: 'Go to sign-in',
  hasAccount: 'This address has an account already: sign in to join.',
};

const ptBR: typeof en = {
  title: 'Convite',
  heading: (team) => `Entrar na equipe ${team}`,
  lead: (who, team, role) =>
    who === null
      ? `Você recebeu um convite para a equipe ${team}, com o papel ${role}.`
      : `${who} convida você para a equipe ${team}, com o papel ${role}.`,
  name: 'Seu nome',
  emailHint: 'O convite vale para este endereço.',
  submit: 'Criar conta e participar',
  busy: 'Criando…',
  haveAccount: 'Você já tem uma conta com este endereço?',
  signIn: 'Entre para participar',
  join: 'Participar',
  joining: 'Confirmando…',
  otherTitle: 'Este convite é para outra pessoa',
  otherText: (invited, own) =>
    `Ele é para ${invited}, e você entrou como ${own}. Saia para continuar com o outro endereço.`,
  signOut: 'Sair',
  joinedTitle: (team) => `Você está na equipe ${team}`,
  goneTitle: 'Este convite não vale mais',
  goneText: 'Ele foi usado, cancelado ou tem mais de 7 dias. Peça um novo link a quem convidou você.',
  toProjects: 'Ir para os projetos',
  toSignIn: 'Ir para o login',
  hasAccount: 'Este endereço já tem uma conta: entre para participar.',
};

export const inviteWords: Part<typeof en> = { en, 'pt-BR': ptBR };
