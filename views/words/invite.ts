/** Words of the screen behind the link of an invitation. */
import type { Part } from './part.ts';

const en = {
  title: 'Invitation',
  heading: (team: string) => `Join ${team}`,
  lead: (who: string | null, team: string, role: string) =>
    who === null ? `You’ve been invited to join ${team} as ${role}.` : `${who} invited you to join ${team} as ${role}.`,
  name: 'Your name',
  emailHint: 'This invitation is only valid for this address.',
  submit: 'Create account and join',
  busy: 'Joining…',
  haveAccount: 'Already have an account with this address?',
  signIn: 'Sign in to join',
  join: 'Join',
  joining: 'Joining…',
  otherTitle: 'Invitation for another account',
  otherText: (invited: string, own: string) =>
    `This invitation is for ${invited}, but you’re signed in as ${own}. Sign out to continue.`,
  signOut: 'Sign out',
  joinedTitle: (team: string) => `Welcome to ${team}`,
  goneTitle: 'Invitation expired',
  goneText: 'It was used, revoked or is more than 7 days old. Ask the sender for a new one.',
  toProjects: 'Go to projects',
  toSignIn: 'Go to sign-in',
  hasAccount: 'This address already has an account. Sign in to join.',
};

const ptBR: typeof en = {
  title: 'Convite',
  heading: (team) => `Entrar em ${team}`,
  lead: (who, team, role) =>
    who === null
      ? `Você recebeu um convite para ${team} com a função ${role}.`
      : `${who} convidou você para ${team} com a função ${role}.`,
  name: 'Seu nome',
  emailHint: 'O convite é só para este e-mail.',
  submit: 'Criar conta e entrar na equipe',
  busy: 'Criando conta…',
  haveAccount: 'Já tem uma conta com este e-mail?',
  signIn: 'Entrar na conta para aceitar',
  join: 'Aceitar convite',
  joining: 'Entrando…',
  otherTitle: 'Este convite é para outra pessoa',
  otherText: (invited, own) =>
    `O convite é para ${invited}, mas você entrou como ${own}. Saia e entre com o outro e-mail.`,
  signOut: 'Sair',
  joinedTitle: (team) => `Agora você faz parte de ${team}`,
  goneTitle: 'Convite expirado',
  goneText: 'Ele já foi usado, foi cancelado ou passou de 7 dias. Peça um novo link a quem convidou você.',
  toProjects: 'Ir para os projetos',
  toSignIn: 'Ir para o login',
  hasAccount: 'Já existe uma conta com este e-mail. Entre para aceitar.',
};

export const inviteWords: Part<typeof en> = { en, 'pt-BR': ptBR };
