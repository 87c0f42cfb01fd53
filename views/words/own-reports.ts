/** Words of the reports that an account gets. */
import type { Part } from './part.ts';

const en = {
  own: 'Your email reports',
  text: 'Reports that you get from all projects, in the language and time zone of your account.',
  none: 'You get no reports. Subscribe on a dashboard or an insight.',
  gone: 'Deleted or not available',
  paused: 'Paused',
  off: 'Off',
  next: (time: string) => `Next: ${time}`,
  unsubscribe: 'Unsubscribe',
  resubscribe: 'Subscribe again',
};

export const ownReportWords: Part<typeof en> = {
  en,
  'pt-BR': {
    own: 'Seus relatórios por e-mail',
    text: 'Relatórios que você recebe de todos os projetos, no idioma e no fuso horário da sua conta.',
    none: 'Você não recebe relatórios. Assine em um painel ou insight.',
    gone: 'Excluído ou indisponível',
    paused: 'Pausado',
    off: 'Desativado',
    next: (time) => `Próximo: ${time}`,
    unsubscribe: 'Não receber mais',
    resubscribe: 'Voltar a receber',
  },
};
