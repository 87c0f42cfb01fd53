/** Words of the pages that links in reports open. Server only. */
import type { Part } from './part.ts';

const en = {
  confirmTitle: 'Do you want this report?',
  confirmText: (report: string, project: string, schedule: string) => `“${report}” of ${project}. ${schedule}.`,
  confirm: 'Yes, send it to me',
  decline: 'No, don’t send it',
  confirmed: 'You’ll get this report',
  confirmedText: 'Every email has a link to unsubscribe.',
  declined: 'You won’t get this report',
  declinedText: 'Nothing was sent, and nothing will be.',
  unsubscribeTitle: 'Unsubscribe from this report?',
  unsubscribe: 'Unsubscribe',
  unsubscribed: 'You’re unsubscribed',
  unsubscribedText: (report: string) => `“${report}” won’t be sent to you any more.`,
  goneTitle: 'This link isn’t available',
  goneText: 'It has expired or was used already, or the report was deleted.',
};
export type ReportLinkWords = typeof en;

export const reportLinkWords: Part<ReportLinkWords> = {
  en,
  'pt-BR': {
    confirmTitle: 'Quer receber este relatório?',
    confirmText: (report, project, schedule) => `“${report}”, de ${project}. ${schedule}.`,
    confirm: 'Sim, quero receber',
    decline: 'Não quero receber',
    confirmed: 'Você vai receber este relatório',
    confirmedText: 'Todo e-mail tem um link para cancelar.',
    declined: 'Você não vai receber este relatório',
    declinedText: 'Nada foi enviado, e nada será.',
    unsubscribeTitle: 'Parar de receber este relatório?',
    unsubscribe: 'Não receber mais',
    unsubscribed: 'Inscrição cancelada',
    unsubscribedText: (report) => `“${report}” não será mais enviado a você.`,
    goneTitle: 'Este link não está disponível',
    goneText: 'Ele expirou ou já foi usado, ou o relatório foi excluído.',
  },
};
