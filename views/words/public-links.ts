/** Words of the list of links that share something. */
import type { Part } from './part.ts';

const en = {
  title: 'Public links',
  none: 'No public links',
  noneText: 'Share a dashboard or an insight to create one.',
  columns: { name: 'Shared', project: 'Project', createdBy: 'Created by', expires: 'Expires', views: 'Views, 7 days' },
  kinds: { dashboard: 'Dashboard', insight: 'Insight' },
  protected: 'with password',
  embedded: (n: number, text: string) => (n === 1 ? 'embeddable on 1 site' : `embeddable on ${text} sites`),
  never: 'Never',
  expired: 'Expired',
  formerMember: 'Former member',
};

export const publicLinkWords: Part<typeof en> = {
  en,
  'pt-BR': {
    title: 'Links públicos',
    none: 'Nenhum link público',
    noneText: 'Compartilhe um painel ou insight para criar um.',
    columns: {
      name: 'Compartilhado',
      project: 'Projeto',
      createdBy: 'Criado por',
      expires: 'Expira em',
      views: 'Visualizações, 7 dias',
    },
    kinds: { dashboard: 'Painel', insight: 'Insight' },
    protected: 'com senha',
    embedded: (n, text) => (n === 1 ? 'pode ser incorporado em 1 site' : `pode ser incorporado em ${text} sites`),
    never: 'Nunca',
    expired: 'Expirado',
    formerMember: 'Ex-membro',
  },
};
