/** Words of the page that a shared link opens. */
import type { Part } from './part.ts';

const en = {
  protectedTitle: 'This page is protected',
  protectedText: 'Enter the password you received with the link.',
  password: 'Password',
  open: 'Open',
  wrong: 'Wrong password. Try again.',
  goneTitle: 'This link isn’t available',
  goneText: 'It has expired or was turned off. Ask the person who sent it for a new one.',
  period: 'Period',
  updated: (time: string, zone: string) => `Updated ${time}. Days in ${zone}.`,
  failed: 'Couldn’t load this tile',
  failedText: 'Reload the page to try again.',
  by: 'Made with Luneta',
  skip: 'Skip to content',
  filters: 'Filters',
  all: 'All',
  apply: 'Apply filters',
  clear: 'Clear filters',
};

export const sharedPageWords: Part<typeof en> = {
  en,
  'pt-BR': {
    protectedTitle: 'Esta página é protegida',
    protectedText: 'Digite a senha que você recebeu com o link.',
    password: 'Senha',
    open: 'Abrir',
    wrong: 'Senha incorreta. Tente de novo.',
    goneTitle: 'Este link não está disponível',
    goneText: 'Ele expirou ou foi desativado. Peça um novo a quem enviou.',
    period: 'Período',
    updated: (time, zone) => `Atualizado em ${time}. Dias em ${zone}.`,
    failed: 'Não foi possível carregar este bloco',
    failedText: 'Recarregue a página para tentar de novo.',
    by: 'Feito com Luneta',
    skip: 'Ir para o conteúdo',
    filters: 'Filtros',
    all: 'Todos',
    apply: 'Aplicar filtros',
    clear: 'Limpar filtros',
  },
};
