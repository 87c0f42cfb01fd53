/** Words of the settings about pages and channels. */
import type { Part } from './part.ts';
import { counted } from './sentences.ts';

const en = {
  pages: 'Pages',
  pagesText: 'Which paths count as one page. Also applies to past events: nothing stored changes.',
  trailingSlash: 'Ignore trailing slashes',
  trailingSlashHint: '/about/ counts as /about',
  letterCase: 'Ignore letter case',
  letterCaseHint: '/About counts as /about',
  indexFiles: 'Remove index files',
  indexFilesHint: '/docs/index.html counts as /docs/',
  ids: 'Replace IDs',
  idsHint: 'Numbers and UUIDs: /orders/1042 counts as /orders/:id',
  hashRoutes: 'Count hash routes as pages',
  hashRoutesHint: 'For single-page apps: /#/cart becomes a page of its own',
  pathRules: 'Page groups',
  pathRulesHint: 'One pattern per line, first match wins. /products/:slug groups one level, /docs/* everything below.',
  hosts: 'Hosts',
  hostsText: 'Tables split pages by host if a site has several. Also applies to past events.',
  primaryHost: 'Primary host',
  primaryHostHint: 'e.g. shop.example. Translation proxies and web archives count as this host. Empty: no change.',
  otherHosts: 'Other hosts of the same site',
  otherHostsHint: 'One per line, e.g. www.shop.example, *.preview.example. They count as the primary host.',
  channels: 'Channels',
  channelsText: 'Your own channels, checked before the built-in ones. Also applies to past visits.',
  channelRules: 'Channel rules',
  channelRulesHint:
    'One per line, first match wins, e.g. Partners: source=partner*; medium=blog. Fields: source, medium, campaign, term, content, referrer. * matches anything.',
  preview: 'Preview changes',
  previewText: 'Compares your unsaved rules with the saved ones, for events of the last 28 days.',
  previewing: 'Calculating…',
  previewed: { pages: 'Pages', hosts: 'Hosts', channels: 'Channels' },
  from: 'Now',
  to: 'After saving',
  events: 'Events',
  none: '(none)',
  unchanged: 'These rules change nothing in the last 28 days.',
  summary: (events: number, text: string, before: string, after: string) =>
    `${counted(events, text, 'event changes', 'events change')}. Values: ${before} now, ${after} after saving.`,
  more: (n: number, text: string) => `and ${counted(n, text, 'other change', 'other changes')}`,
  fixFirst: 'Fix the marked fields first.',
  errors: {
    pathRules: (entry: string) =>
      `Invalid pattern “${entry}”. Start with / and write at least one part out, e.g. /products/:slug.`,
    primaryHost: 'Invalid host. Use the format shop.example.',
    otherHosts: (entry: string) => `Invalid host “${entry}”. Use the format shop.example or *.preview.example.`,
    channelRules: (entry: string) => `Invalid rule “${entry}”. Use the format Partners: source=partner*; medium=blog.`,
    many: (text: string) => `Use at most ${text} lines.`,
  },
};

const ptBR: typeof en = {
  pages: 'Páginas',
  pagesText: 'Quais caminhos contam como uma só página. Vale também para o passado: nenhum evento é alterado.',
  trailingSlash: 'Ignorar a barra final',
  trailingSlashHint: '/sobre/ conta como /sobre',
  letterCase: 'Ignorar maiúsculas e minúsculas',
  letterCaseHint: '/Sobre conta como /sobre',
  indexFiles: 'Remover arquivos index',
  indexFilesHint: '/docs/index.html conta como /docs/',
  ids: 'Substituir IDs',
  idsHint: 'Números e UUIDs: /pedidos/1042 conta como /pedidos/:id',
  hashRoutes: 'Contar rotas com # como páginas',
  hashRoutesHint: 'Para SPAs: /#/carrinho vira uma página',
  pathRules: 'Grupos de páginas',
  pathRulesHint:
    'Um padrão por linha; vale o primeiro que corresponder. /produtos/:slug agrupa um nível, /docs/* tudo o que vem depois.',
  hosts: 'Hosts',
  hostsText: 'As tabelas separam as páginas por host quando há vários. Vale também para o passado.',
  primaryHost: 'Host principal',
  primaryHostHint:
    'Ex.: loja.com.br. Tradutores e arquivos da web contam como este host. Em branco: nenhuma alteração.',
  otherHosts: 'Outros hosts do mesmo site',
  otherHostsHint: 'Um por linha. Ex.: www.loja.com.br, *.preview.loja.com.br. Contam como o host principal.',
  channels: 'Canais',
  channelsText: 'Seus próprios canais, verificados antes dos padrão. Vale também para visitas passadas.',
  channelRules: 'Regras de canal',
  channelRulesHint:
    'Uma por linha; vale a primeira que corresponder. Ex.: Parceiros: source=parceiro*; medium=blog. Campos: source, medium, campaign, term, content, referrer. * corresponde a qualquer texto.',
  preview: 'Ver alterações',
  previewText: 'Compara as regras não salvas com as salvas, nos eventos dos últimos 28 dias.',
  previewing: 'Calculando…',
  previewed: { pages: 'Páginas', hosts: 'Hosts', channels: 'Canais' },
  from: 'Agora',
  to: 'Depois de salvar',
  events: 'Eventos',
  none: '(nenhum)',
  unchanged: 'Estas regras não mudam nada nos últimos 28 dias.',
  summary: (events, text, before, after) =>
    `${counted(events, text, 'evento muda', 'eventos mudam')}. Valores: ${before} agora, ${after} depois de salvar.`,
  more: (n, text) => `e mais ${counted(n, text, 'alteração', 'alterações')}`,
  fixFirst: 'Corrija primeiro os campos marcados.',
  errors: {
    pathRules: (entry) =>
      `Padrão inválido: “${entry}”. Comece com / e escreva ao menos uma parte por extenso, como /produtos/:slug.`,
    primaryHost: 'Host inválido. Use o formato loja.com.br.',
    otherHosts: (entry) => `Host inválido: “${entry}”. Use o formato loja.com.br ou *.preview.loja.com.br.`,
    channelRules: (entry) => `Regra inválida: “${entry}”. Use o formato Parceiros: source=parceiro*; medium=blog.`,
    many: (text) => `Limite de ${text} linhas.`,
  },
};

export const readingWords: Part<typeof en> = { en, 'pt-BR': ptBR };
