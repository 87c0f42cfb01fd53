/** Texts of emails. Server only. */
import type { NoticeKind } from '#src/alerts/values.ts';
import type { MailData, MailKind } from '#src/mail/contract.ts';
import type { Role } from '#src/projects/contract.ts';
import { alertFacts, alertRules } from './alert-rules.ts';
import { en as english } from './en.ts';
import { type Format, formatOf } from './format.ts';
import { issueLetter, issueLetters } from './issue-letters.ts';
import type { Letter } from './letter.ts';
import type { Part } from './part.ts';
import { ptBR as portuguese } from './pt-br.ts';
import { reportRules, scheduleText } from './report-rules.ts';

/** Reports are drawn by themselves. */
type Letters = { [Kind in Exclude<MailKind, 'report'>]: (data: MailData[Kind]) => Letter };

interface Catalogue {
  letters: Letters;
  /** Text before the plain link, for clients that do not show the button. */
  plainLink: string;
}

const moment = (format: Format, ms: number, timeZone: string): string =>
  `${format.dayTime(ms, timeZone)}, ${format.zone(ms, timeZone)}`;

const enFormat = formatOf(english);
const enRoles: Record<Role, string> = { viewer: 'viewer', member: 'member', admin: 'admin', owner: 'owner' };
const enOnce = (minutes: number): string => `This link expires in ${minutes} minutes and can be used once.`;
const enUnasked = 'If this wasn’t you, ignore this email. Nothing changes unless the link is opened.';

const en: Catalogue = {
  plainLink: 'If the button doesn’t work, open this link:',
  letters: {
    verifyEmail: ({ link, minutes }) => ({
      subject: 'Verify your email address',
      preview: 'One more step to activate your account.',
      title: 'Verify your email address',
      paragraphs: ['A Luneta account was created with this address. Confirm that it’s yours.'],
      action: { label: 'Verify address', link },
      notes: [enOnce(minutes), enUnasked],
      reason: 'You received this email because someone created a Luneta account with this address.',
    }),
    magicLink: ({ link, minutes }) => ({
      subject: 'Your sign-in link',
      preview: `Expires in ${minutes} minutes. Can be used once.`,
      title: 'Sign in to Luneta',
      paragraphs: ['Use this link to sign in without a password.'],
      action: { label: 'Sign in', link },
      notes: [enOnce(minutes), enUnasked, 'Don’t share this link. Anyone who has it can sign in as you.'],
      reason: 'You received this email because a sign-in link was requested for this address.',
    }),
    resetPassword: ({ link, minutes }) => ({
      subject: 'Reset your password',
      preview: `The link expires in ${minutes} minutes.`,
      title: 'Reset your password',
      paragraphs: [
        'Someone requested a password reset for your account. Your current password works until you change it.',
      ],
      action: { label: 'Reset password', link },
      notes: [enOnce(minutes), enUnasked],
      reason: 'You received this email because a password reset was requested for this address.',
    }),
    emailChangeConfirm: ({ link, minutes }) => ({
      subject: 'Confirm your new email address',
      preview: 'Confirm to use this address for your account.',
      title: 'Confirm your new email address',
      paragraphs: ['You asked to use this address for your Luneta account. The change takes effect when you confirm.'],
      action: { label: 'Confirm new address', link },
      notes: [enOnce(minutes), enUnasked],
      reason: 'You received this email because a Luneta account requested a change to this address.',
    }),
    emailChanged: ({ link, newAddress, at, timeZone }) => ({
      subject: 'Your email address was changed',
      preview: `Your account now uses ${newAddress}.`,
      title: 'Your email address was changed',
      paragraphs: [
        `Your account’s email address was changed to ${newAddress} on ${moment(enFormat, at, timeZone)}. You can no longer sign in with this address.`,
        'If this was you, no action is needed. If not, someone else has access to your account. Ask a team owner to remove it from the team now.',
      ],
      action: { label: 'Open Luneta', link },
      notes: [],
      reason: 'You received this email because this was your account’s address.',
    }),
    passwordChanged: ({ link, at, timeZone }) => ({
      subject: 'Your password was changed',
      preview: 'All other devices were signed out.',
      title: 'Your password was changed',
      paragraphs: [
        `Your account’s password was changed on ${moment(enFormat, at, timeZone)}. All other devices were signed out.`,
        'If this was you, no action is needed. If not, reset your password now.',
      ],
      action: { label: 'Reset password', link },
      notes: [],
      reason: 'You received this email because it affects your account’s security.',
    }),
    invitation: ({ link, inviter, team, role, days }) => ({
      subject: `${inviter} invited you to ${team}`,
      preview: 'Join your team on Luneta.',
      title: `Join ${team}`,
      paragraphs: [`${inviter} invited you to join the team ${team} on Luneta as ${enRoles[role]}.`],
      action: { label: 'Accept invitation', link },
      notes: [
        `This link expires in ${days} days and can be used once.`,
        'If you don’t know the sender, ignore this email.',
      ],
      reason: `You received this email because ${inviter} invited this address.`,
    }),
    teamDeletion: ({ link, team, by, deletesAt, timeZone }) => ({
      subject: `Team ${team} is scheduled for deletion`,
      preview: `You can cancel until ${enFormat.dayTime(deletesAt, timeZone)}.`,
      title: `Team ${team} is scheduled for deletion`,
      paragraphs: [
        `${by} scheduled the team ${team} for deletion, including all its projects and their data.`,
        `You can cancel until ${moment(enFormat, deletesAt, timeZone)}. After that, all data is permanently deleted.`,
      ],
      action: { label: 'Review or cancel', link },
      notes: [],
      reason: `You received this email because you are an owner of the team ${team}.`,
    }),
    projectDeletion: ({ link, project, team, by, deletesAt, timeZone }) => ({
      subject: `Project ${project} is scheduled for deletion`,
      preview: `You can cancel until ${enFormat.dayTime(deletesAt, timeZone)}.`,
      title: `Project ${project} is scheduled for deletion`,
      paragraphs: [
        `${by} scheduled the project ${project} (team ${team}) for deletion, including all its events, people and goals.`,
        `Until ${moment(enFormat, deletesAt, timeZone)}, events are still collected and you can cancel the deletion. After that, all data is permanently deleted.`,
      ],
      action: { label: 'Review or cancel', link },
      notes: [],
      reason: `You received this email because you are an owner of the team ${team}.`,
    }),
    testMail: ({ link, by }) => ({
      subject: 'Test email from Luneta',
      preview: 'Email is working.',
      title: 'Email is working',
      paragraphs: [`${by} sent this message to test email delivery. It works.`],
      action: { label: 'Open Luneta', link },
      notes: [],
      reason: 'You received this email because a test was requested.',
    }),
    alert: (data) => {
      if (data.issues?.length) return issueLetter(data, issueLetters.en);
      const { what, value, when, expected } = alertFacts(data, english, alertRules.en);
      const { alert, project, link, notice } = data;
      const subjects: Record<NoticeKind, string> = {
        fired: `${alert} is firing`,
        reminder: `${alert} is still firing`,
        resolved: `${alert} is resolved`,
        test: `Test of the alert ${alert}`,
      };
      return {
        subject: `${subjects[notice]} · ${project}`,
        preview: `${what}: ${value}`,
        title: subjects[notice],
        paragraphs: [what, `${when}: ${value}${expected === null ? '' : ` (usually ${expected})`}`],
        action: { label: 'Open alert', link },
        notes: notice === 'fired' || notice === 'reminder' ? ['Acknowledge the alert to stop daily reminders.'] : [],
        reason: `You received this email because you are notified of this alert of ${project}.`,
      };
    },
    reportConfirm: ({ link, by, project, report, schedule, kind, days }) => {
      const what = kind === 'summary' ? reportRules.en.summary : report;
      return {
        subject: `Do you want reports of ${project}?`,
        preview: `${by} wants to send you “${what}” by email.`,
        title: 'Confirm that you want this report',
        paragraphs: [
          `${by} wants to send you “${what}” of ${project}. ${scheduleText(schedule, reportRules.en)}.`,
          'Nothing is sent until you confirm. You can unsubscribe at any time.',
        ],
        action: { label: 'Confirm or decline', link },
        notes: [`This link expires in ${days} days.`, 'If you don’t know the sender, ignore this email.'],
        reason: 'You received this email because this address was entered as a recipient of a report.',
      };
    },
  },
};

const ptFormat = formatOf(portuguese);
const ptRoles: Record<Role, string> = {
  viewer: 'Leitor',
  member: 'Membro',
  admin: 'Admin',
  owner: 'Proprietário',
};
const ptOnce = (minutes: number): string => `O link é válido por ${minutes} minutos e só pode ser usado uma vez.`;
const ptUnasked = 'Se não foi você, ignore este e-mail. Nada vai mudar.';

const ptBR: Catalogue = {
  plainLink: 'Se o botão não funcionar, copie e cole este link no navegador:',
  letters: {
    verifyEmail: ({ link, minutes }) => ({
      subject: 'Confirme seu e-mail',
      preview: 'Falta uma etapa para concluir seu cadastro.',
      title: 'Confirme seu e-mail',
      paragraphs: ['Uma conta da Luneta foi criada com este e-mail. Confirme que ele é seu.'],
      action: { label: 'Confirmar e-mail', link },
      notes: [ptOnce(minutes), ptUnasked],
      reason: 'Você recebeu este e-mail porque uma conta foi criada com este endereço:',
    }),
    magicLink: ({ link, minutes }) => ({
      subject: 'Seu link de acesso à Luneta',
      preview: `Válido por ${minutes} minutos, para um único uso.`,
      title: 'Entre na Luneta',
      paragraphs: ['Use o link abaixo para entrar sem senha.'],
      action: { label: 'Entrar', link },
      notes: [ptOnce(minutes), ptUnasked, 'Não compartilhe este link: quem o tiver entra na sua conta.'],
      reason: 'Você recebeu este e-mail porque um link de acesso foi solicitado para:',
    }),
    resetPassword: ({ link, minutes }) => ({
      subject: 'Redefina sua senha',
      preview: `O link é válido por ${minutes} minutos.`,
      title: 'Redefina sua senha',
      paragraphs: [
        'Recebemos um pedido para redefinir a senha da sua conta. A senha atual continua valendo até você criar outra.',
      ],
      action: { label: 'Redefinir senha', link },
      notes: [ptOnce(minutes), ptUnasked],
      reason: 'Você recebeu este e-mail porque uma nova senha foi solicitada para:',
    }),
    emailChangeConfirm: ({ link, minutes }) => ({
      subject: 'Confirme seu novo e-mail',
      preview: 'Sua conta passa a usar este e-mail depois que você confirmar.',
      title: 'Confirme seu novo e-mail',
      paragraphs: ['Você pediu para usar este e-mail na sua conta da Luneta. A mudança vale depois da confirmação.'],
      action: { label: 'Confirmar novo e-mail', link },
      notes: [ptOnce(minutes), ptUnasked],
      reason: 'Você recebeu este e-mail porque uma conta pediu para usar este endereço:',
    }),
    emailChanged: ({ link, newAddress, at, timeZone }) => ({
      subject: 'Seu e-mail foi alterado',
      preview: `Sua conta agora usa ${newAddress}.`,
      title: 'Seu e-mail foi alterado',
      paragraphs: [
        `O e-mail da sua conta foi alterado para ${newAddress} em ${moment(ptFormat, at, timeZone)}. Este e-mail não serve mais para entrar.`,
        'Se foi você, não precisa fazer nada. Se não foi, alguém pode ter acesso à sua conta: fale agora com um proprietário da equipe e peça para remover o acesso.',
      ],
      action: { label: 'Abrir a Luneta', link },
      notes: [],
      reason: 'Você recebeu este e-mail porque este era o endereço da conta:',
    }),
    passwordChanged: ({ link, at, timeZone }) => ({
      subject: 'Sua senha foi alterada',
      preview: 'Você saiu de todos os outros dispositivos.',
      title: 'Sua senha foi alterada',
      paragraphs: [
        `A senha da sua conta foi alterada em ${moment(ptFormat, at, timeZone)}. Por segurança, você saiu de todos os outros dispositivos.`,
        'Se foi você, não precisa fazer nada. Se não foi, crie uma nova senha agora.',
      ],
      action: { label: 'Não fui eu', link },
      notes: [],
      reason: 'Você recebeu este aviso de segurança porque a conta usa este e-mail:',
    }),
    invitation: ({ link, inviter, team, role, days }) => ({
      subject: `${inviter} convidou você para ${team}`,
      preview: 'Veja as métricas da equipe na Luneta.',
      title: `Entre em ${team}`,
      paragraphs: [`${inviter} convidou você para a equipe ${team} na Luneta, com a função ${ptRoles[role]}.`],
      action: { label: 'Aceitar convite', link },
      notes: [
        `O link é válido por ${days} dias e só pode ser usado uma vez.`,
        'Se você não conhece quem convidou, ignore este e-mail. Nada vai mudar.',
      ],
      reason: `Você recebeu este e-mail porque ${inviter} informou este endereço:`,
    }),
    teamDeletion: ({ link, team, by, deletesAt, timeZone }) => ({
      subject: `A equipe ${team} será excluída`,
      preview: `Você pode cancelar até ${ptFormat.dayTime(deletesAt, timeZone)}.`,
      title: `A equipe ${team} será excluída`,
      paragraphs: [
        `${by} solicitou a exclusão da equipe ${team}, com todos os projetos e dados.`,
        `Você pode cancelar até ${moment(ptFormat, deletesAt, timeZone)}. Depois disso, a exclusão é definitiva.`,
      ],
      action: { label: 'Ver ou cancelar exclusão', link },
      notes: [],
      reason: `Você recebeu este e-mail porque tem a função Proprietário na equipe ${team}:`,
    }),
    projectDeletion: ({ link, project, team, by, deletesAt, timeZone }) => ({
      subject: `O projeto ${project} será excluído`,
      preview: `Você pode cancelar até ${ptFormat.dayTime(deletesAt, timeZone)}.`,
      title: `O projeto ${project} será excluído`,
      paragraphs: [
        `${by} solicitou a exclusão do projeto ${project}, da equipe ${team}, com todos os eventos, pessoas, metas e demais dados.`,
        `O projeto continua recebendo eventos até ${moment(ptFormat, deletesAt, timeZone)}, e você pode cancelar até lá. Depois disso, a exclusão é definitiva.`,
      ],
      action: { label: 'Ver ou cancelar exclusão', link },
      notes: [],
      reason: `Você recebeu este e-mail porque tem a função Proprietário na equipe ${team}:`,
    }),
    testMail: ({ link, by }) => ({
      subject: 'E-mail de teste da Luneta',
      preview: 'O envio de e-mails está funcionando.',
      title: 'O envio de e-mails está funcionando',
      paragraphs: [`${by} enviou este e-mail para testar o envio. Deu certo.`],
      action: { label: 'Abrir a Luneta', link },
      notes: [],
      reason: 'Você recebeu este e-mail porque um teste foi solicitado para:',
    }),
    alert: (data) => {
      if (data.issues?.length) return issueLetter(data, issueLetters['pt-BR']);
      const { what, value, when, expected } = alertFacts(data, portuguese, alertRules['pt-BR']);
      const { alert, project, link, notice } = data;
      const subjects: Record<NoticeKind, string> = {
        fired: `${alert}: alerta disparado`,
        reminder: `${alert}: alerta ainda disparado`,
        resolved: `${alert}: alerta resolvido`,
        test: `Teste do alerta ${alert}`,
      };
      return {
        subject: `${subjects[notice]} · ${project}`,
        preview: `${what}: ${value}`,
        title: subjects[notice],
        paragraphs: [what, `${when}: ${value}${expected === null ? '' : ` (o usual é ${expected})`}`],
        action: { label: 'Abrir alerta', link },
        notes: notice === 'fired' || notice === 'reminder' ? ['Assuma o alerta para parar os lembretes diários.'] : [],
        reason: `Você recebeu este e-mail porque recebe os avisos deste alerta de ${project}:`,
      };
    },
    reportConfirm: ({ link, by, project, report, schedule, kind, days }) => {
      const what = kind === 'summary' ? reportRules['pt-BR'].summary : report;
      return {
        subject: `Quer receber relatórios de ${project}?`,
        preview: `${by} quer enviar “${what}” a você por e-mail.`,
        title: 'Confirme que você quer este relatório',
        paragraphs: [
          `${by} quer enviar a você “${what}”, de ${project}. ${scheduleText(schedule, reportRules['pt-BR'])}.`,
          'Nada será enviado até você confirmar. Você pode cancelar quando quiser.',
        ],
        action: { label: 'Confirmar ou recusar', link },
        notes: [`O link é válido por ${days} dias.`, 'Se você não conhece quem enviou, ignore este e-mail.'],
        reason: 'Você recebeu este e-mail porque este endereço foi informado como destinatário de um relatório:',
      };
    },
  },
};

export const letterWords: Part<Catalogue> = { en, 'pt-BR': ptBR };
