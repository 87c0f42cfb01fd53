/** Words of the log of deeds: one sentence per deed, without who did it. */
import type { AuditAction, AuditDetails, AuditKind } from '#src/accounts/teams/contract.ts';
import type { Part } from './part.ts';
import { teamWords } from './teams.ts';

type Sentence = (details: AuditDetails) => string;

const said = (value: AuditDetails[string] | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** "(list)" of a detail that may be missing. */
const inBrackets = (value: AuditDetails[string] | undefined): string => {
  const text = Array.isArray(value) ? value.join(', ') : said(value);
  return text === '' ? '' : ` (${text})`;
};

const roleIn = (language: 'en' | 'pt-BR', value: AuditDetails[string] | undefined): string => {
  const roles: Record<string, string> = teamWords[language].roles;
  return roles[said(value)] ?? said(value);
};

const en = {
  kinds: {
    signIn: 'Signing in',
    account: 'Accounts',
    members: 'Members',
    team: 'Team',
    project: 'Projects',
    keys: 'Keys',
    data: 'Data',
  } as Record<AuditKind, string>,
  kind: 'Kind',
  all: 'Everything',
  person: 'Person',
  everybody: 'Everybody',
  show: 'Show',
  when: 'When',
  who: 'Who',
  what: 'What',
  from: 'From',
  older: 'Older',
  newest: 'Newest',
  none: 'Nothing yet',
  noneText: 'Invitations, roles, keys, settings and deletions appear here.',
  noneFound: 'Nothing of this kind',
  itself: 'by itself',
  done: {
    'signIn.succeeded': () => 'signed in',
    'signIn.failed': () => 'tried to sign in',
    'signIn.ended': () => 'ended a sign-in',
    'access.refused': (d) => `was refused${inBrackets(d['what'])}`,
    'account.created': () => 'made an account',
    'account.deleted': () => 'deleted their account',
    'password.changed': () => 'changed their password',
    'password.reset': () => 'set a new password',
    'email.changed': () => 'changed their address',
    'email.verified': () => 'confirmed their address',
    'secondStep.on': () => 'turned the second step on',
    'secondStep.off': () => 'turned the second step off',
    'recoveryCodes.made': () => 'made new recovery codes',
    'passkey.added': () => 'added a passkey',
    'passkey.removed': () => 'removed a passkey',
    'identity.added': () => 'linked another way to sign in',
    'identity.removed': () => 'unlinked a way to sign in',
    'invitation.made': (d) => `invited ${said(d['email'])} as ${roleIn('en', d['role'])}`,
    'invitation.renewed': (d) => `made a new link for ${said(d['email'])}`,
    'invitation.revoked': (d) => `revoked the invitation to ${said(d['email'])}`,
    'member.joined': (d) => `joined as ${roleIn('en', d['role'])}`,
    'member.roleChanged': (d) =>
      `made ${said(d['who'])} ${roleIn('en', d['to'])} instead of ${roleIn('en', d['from'])}`,
    'member.removed': (d) => `removed ${said(d['who'])}`,
    'member.left': () => 'left the team',
    'team.created': (d) => `made the team ${said(d['name'])}`,
    'team.renamed': (d) => `renamed the team from ${said(d['from'])} to ${said(d['to'])}`,
    'team.transferred': (d) => `handed the team over to ${said(d['to'])}`,
    'team.deletionAsked': () => 'asked for the deletion of the team',
    'team.deletionUndone': () => 'kept the team',
    'mail.linkShown': (d) => `looked at the link of a mail${inBrackets(d['to'])}`,
    'mail.resent': (d) => `sent a mail again${inBrackets(d['to'])}`,
    'project.created': (d) => `made a project${inBrackets(d['name'])}`,
    'project.changed': (d) => `changed the settings of a project${inBrackets(d['name'])}`,
    'project.tokenRotated': (d) => `made a new token for a project${inBrackets(d['name'])}`,
    'project.deletionAsked': (d) => `asked for the deletion of a project${inBrackets(d['name'])}`,
    'project.deletionUndone': (d) => `kept a project${inBrackets(d['name'])}`,
    'project.deleted': (d) => `deleted the project ${said(d['name'])}`,
    'key.created': (d) => `made a key${inBrackets(d['name'])}`,
    'key.revoked': (d) => `revoked a key${inBrackets(d['name'])}`,
    'data.exported': () => 'exported the data of a person',
    'data.erased': () => 'erased a person',
    'data.split': () => 'took an id out of a person',
    'data.imported': () => 'imported data',
    'events.exported': () => 'exported events',
    'people.exported': () => 'exported people',
    'definition.changed': (d) => `described ${said(d['name'])}`,
  } as Record<AuditAction, Sentence>,
};

const ptBR: typeof en = {
  kinds: {
    signIn: 'Entradas',
    account: 'Contas',
    members: 'Membros',
    team: 'Equipe',
    project: 'Projetos',
    keys: 'Chaves',
    data: 'Dados',
  },
  kind: 'Tipo',
  all: 'Tudo',
  person: 'Pessoa',
  everybody: 'Todas as pessoas',
  show: 'Mostrar',
  when: 'Quando',
  who: 'Quem',
  what: 'O quê',
  from: 'De onde',
  older: 'Mais antigas',
  newest: 'Mais recentes',
  none: 'Nada ainda',
  noneText: 'Convites, papéis, chaves, configurações e exclusões aparecem aqui.',
  noneFound: 'Nada deste tipo',
  itself: 'automático',
  done: {
    'signIn.succeeded': () => 'entrou',
    'signIn.failed': () => 'tentou entrar',
    'signIn.ended': () => 'encerrou uma sessão',
    'access.refused': (d) => `teve o acesso recusado${inBrackets(d['what'])}`,
    'account.created': () => 'criou uma conta',
    'account.deleted': () => 'excluiu a própria conta',
    'password.changed': () => 'trocou a senha',
    'password.reset': () => 'definiu uma nova senha',
    'email.changed': () => 'trocou o endereço',
    'email.verified': () => 'confirmou o endereço',
    'secondStep.on': () => 'ativou a segunda etapa',
    'secondStep.off': () => 'desativou a segunda etapa',
    'recoveryCodes.made': () => 'gerou novos códigos de recuperação',
    'passkey.added': () => 'adicionou uma chave de acesso',
    'passkey.removed': () => 'removeu uma chave de acesso',
    'identity.added': () => 'vinculou outra forma de entrar',
    'identity.removed': () => 'desvinculou uma forma de entrar',
    'invitation.made': (d) => `convidou ${said(d['email'])} como ${roleIn('pt-BR', d['role'])}`,
    'invitation.renewed': (d) => `criou um novo link para ${said(d['email'])}`,
    'invitation.revoked': (d) => `cancelou o convite para ${said(d['email'])}`,
    'member.joined': (d) => `passou a fazer parte como ${roleIn('pt-BR', d['role'])}`,
    'member.roleChanged': (d) =>
      `mudou o papel de ${said(d['who'])} de ${roleIn('pt-BR', d['from'])} para ${roleIn('pt-BR', d['to'])}`,
    'member.removed': (d) => `removeu ${said(d['who'])}`,
    'member.left': () => 'saiu da equipe',
    'team.created': (d) => `criou a equipe ${said(d['name'])}`,
    'team.renamed': (d) => `mudou o nome da equipe de ${said(d['from'])} para ${said(d['to'])}`,
    'team.transferred': (d) => `transferiu a equipe para ${said(d['to'])}`,
    'team.deletionAsked': () => 'pediu a exclusão da equipe',
    'team.deletionUndone': () => 'manteve a equipe',
    'mail.linkShown': (d) => `viu o link de um e-mail${inBrackets(d['to'])}`,
    'mail.resent': (d) => `enviou um e-mail de novo${inBrackets(d['to'])}`,
    'project.created': (d) => `criou um projeto${inBrackets(d['name'])}`,
    'project.changed': (d) => `mudou as configurações de um projeto${inBrackets(d['name'])}`,
    'project.tokenRotated': (d) => `criou um novo token para um projeto${inBrackets(d['name'])}`,
    'project.deletionAsked': (d) => `pediu a exclusão de um projeto${inBrackets(d['name'])}`,
    'project.deletionUndone': (d) => `manteve um projeto${inBrackets(d['name'])}`,
    'project.deleted': (d) => `excluiu o projeto ${said(d['name'])}`,
    'key.created': (d) => `criou uma chave${inBrackets(d['name'])}`,
    'key.revoked': (d) => `revogou uma chave${inBrackets(d['name'])}`,
    'data.exported': () => 'exportou os dados de uma pessoa',
    'data.erased': () => 'apagou uma pessoa',
    'data.split': () => 'separou um id de uma pessoa',
    'data.imported': () => 'importou dados',
    'events.exported': () => 'exportou eventos',
    'people.exported': () => 'exportou pessoas',
    'definition.changed': (d) => `descreveu ${said(d['name'])}`,
  },
};

export const activityWords: Part<typeof en> = { en, 'pt-BR': ptBR };
