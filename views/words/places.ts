/**
 * Names of what the palette leads to, and words by which people look for it. The words of both languages find it in each: many say
 * "API key" and "2FA" in Portuguese too.
 */
import type { Part } from './part.ts';

interface SearchName {
  name: string;
  /** Besides the name, separated by spaces. */
  keywords: string;
}

const named = (name: string, keywords: string): SearchName => ({ name, keywords });

const en = {
  overview: named(
    'Overview',
    'dashboard traffic visitors visits sessions page views pageviews bounce rate sources referrers countries cities devices browsers web vitals speed chart report metrics statistics segments map campaigns',
  ),
  live: named('Live', 'real time realtime now online stream visitors'),
  people: named('People', 'users persons visitors customers contacts profiles search'),
  dashboards: named('Dashboards', 'dashboard board wall report overview tiles kpi'),
  reports: named('Email reports', 'report email weekly daily monthly newsletter subscription digest summary boss'),
  alerts: named('Alerts', 'alert alarm notification notify threshold anomaly webhook slack discord teams telegram'),
  groups: named('Groups', 'group company companies account accounts organization workspace team group analytics b2b'),
  cohorts: named('Cohorts', 'cohort group audience list of people csv import'),
  'new-insight': named('New insight', 'ask query create'),
  insights: named(
    'Insights',
    'saved trends funnel retention cohorts lifecycle stickiness series breakdown chart query',
  ),
  goals: named('Goals', 'conversions conversion rate revenue currency sales actions targets custom events'),
  flags: named('Feature flags', 'flag toggle switch rollout release variants kill switch remote config'),
  'early-access': named('Early access', 'beta alpha opt in opt-in preview features enrollment feature requests'),
  experiments: named('Experiments', 'experiment a/b test ab test split test significance variants lift'),
  errors: named('Errors', 'exceptions issues crashes bugs stack traces source maps releases sentry'),
  replays: named('Replays', 'session replay recordings watch screen video rage clicks'),
  heatmaps: named('Heatmaps', 'heatmap click map clickmap scroll depth rage clicks dead clicks'),
  events: named('Events', 'raw events explorer search logs log clicks custom events'),
  definitions: named('Event definitions', 'properties names catalog catalogue dictionary data taxonomy'),
  'event-exports': named('Exports', 'export download csv excel xlsx json files data backup'),
  ingestion: named('Ingestion', 'warnings errors dropped rejected events delivery problems relay mirror upstream'),
  settings: named(
    'Settings',
    'general project name rename time zone timezone week start bounce decimal separator project token tokens rotate token public key delete project remove project configuration preferences',
  ),
  collection: named(
    'Data collection',
    'settings autocapture exceptions web vitals bots internal traffic exclude filter office ip hosts allowed origins cors domains ignored referrers',
  ),
  reading: named(
    'Pages & channels',
    'settings path rules url trailing slash ids hash routes page groups hosts domain channel rules attribution utm campaigns sources',
  ),
  retention: named(
    'Privacy & data',
    'settings data retention keep delete old events ip address anonymize cookies cookieless do not track dnt gpc gdpr lgpd',
  ),
  'replay-settings': named(
    'Session replay settings',
    'settings session replay recording record recordings sample masking mask console network retention storage limit gb viewers',
  ),
  privacy: named(
    'Privacy',
    'gdpr lgpd data subject requests erase delete person forget export person data notice policy consent opt out own visits',
  ),
  install: named(
    'Install',
    'snippet script sdk tracking code set up setup connect integrate posthog npm node reverse proxy website app',
  ),
  members: named(
    'Members',
    'invite invitation invitations add user team change role roles permissions access people colleagues teammates remove user',
  ),
  team: named('Team settings', 'rename team leave team delete team organization workspace'),
  links: named('Public links', 'share shared public embed iframe expiry'),
  mail: named('Email', 'mail smtp sendgrid outbox test email notifications'),
  activity: named('Activity', 'audit logs log history changes security who did what'),
  keys: named('API keys', 'api key apikey personal access tokens token rest api scopes create key revoke developer'),
  account: named(
    'Account',
    'profile my name email address change email language time zone timezone table downloads csv excel appearance',
  ),
  'sign-in': named(
    'Sign-in & security',
    'account password change password reset password 2fa mfa otp totp two factor authentication authenticator app login log in recovery codes passkey passkeys google sso connected',
  ),
  sessions: named('Sessions', 'account devices sign out everywhere log out other devices signed in browsers'),
  home: named('All projects', 'home switch project teams sites'),
  'new-project': named('New project', 'create project add project site website'),
  'new-team': named('New team', 'create team add team organization workspace'),
  status: named(
    'Status',
    'health server disk space database memory jobs version processes slow queries installation operator',
  ),
};

export type PlaceId = keyof typeof en;

const ptBR: typeof en = {
  overview: named(
    'Visão geral',
    'painel tráfego visitantes visitas sessões visualizações de página taxa de rejeição origens fontes países cidades dispositivos navegadores velocidade gráfico relatório métricas estatísticas segmentos mapa campanhas',
  ),
  live: named('Tempo real', 'ao vivo agora online visitantes'),
  people: named('Pessoas', 'usuários clientes visitantes contatos perfis buscar'),
  dashboards: named('Painéis', 'painel dashboards relatório blocos indicadores kpi'),
  reports: named('Relatórios por e-mail', 'relatório email semanal diário mensal assinatura resumo chefe'),
  alerts: named('Alertas', 'alerta alarme aviso notificação limite anomalia webhook slack discord teams telegram'),
  groups: named('Grupos', 'grupo empresa empresas conta contas organização workspace equipe b2b cliente'),
  cohorts: named('Coortes', 'coorte cohort grupo público audiência lista de pessoas csv importar'),
  'new-insight': named('Novo insight', 'perguntar consulta criar'),
  insights: named(
    'Insights',
    'salvos tendências funil retenção coortes ciclo de vida frequência séries detalhamento gráfico consulta',
  ),
  goals: named('Metas', 'conversões taxa de conversão receita moeda vendas objetivos ações'),
  flags: named('Feature flags', 'flag chave liberação lançamento variantes interruptor configuração remota'),
  'early-access': named('Acesso antecipado', 'beta alfa ativar recursos novos prévia inscrição pedidos de recursos'),
  experiments: named('Experimentos', 'experimento teste a/b teste ab significância variantes efeito'),
  errors: named('Erros', 'exceções problemas falhas bugs stack traces source maps versões'),
  replays: named('Replays', 'replay de sessão gravações gravação assistir tela vídeo cliques de raiva'),
  heatmaps: named('Mapas de calor', 'mapa de calor heatmap mapa de cliques rolagem cliques de raiva cliques mortos'),
  events: named('Eventos', 'eventos brutos explorar buscar registros logs cliques'),
  definitions: named('Definições de eventos', 'propriedades nomes catálogo dicionário dados'),
  'event-exports': named('Exportações', 'exportar exportação baixar download csv excel planilha arquivos dados'),
  ingestion: named('Ingestão', 'avisos erros eventos descartados rejeitados entrega problemas encaminhamento'),
  settings: named(
    'Configurações',
    'geral nome do projeto renomear fuso horário início da semana rejeição separador decimal token tokens do projeto chave pública excluir projeto apagar projeto remover ajustes preferências',
  ),
  collection: named(
    'Coleta',
    'configurações captura automática exceções bots tráfego interno excluir filtrar escritório ip hosts origens permitidas domínios referências ignoradas',
  ),
  reading: named(
    'Páginas e canais',
    'configurações regras de caminhos url barra final ids rotas hash grupos de páginas hosts domínio regras de canal atribuição utm campanhas origens',
  ),
  retention: named(
    'Privacidade e dados',
    'configurações retenção de dados guardar apagar excluir eventos antigos endereço ip anonimizar cookies sem cookies não rastrear lgpd gdpr',
  ),
  'replay-settings': named(
    'Configurações de replay',
    'configurações replay de sessão gravação gravar gravações amostra mascaramento mascarar console rede retenção armazenamento limite gb leitores',
  ),
  privacy: named(
    'Privacidade',
    'lgpd gdpr titular solicitações apagar esquecer excluir pessoa exportar dados da pessoa aviso política consentimento minhas visitas',
  ),
  install: named(
    'Instalar',
    'instalação snippet script sdk código de rastreamento configurar conectar integrar integração site aplicativo proxy reverso',
  ),
  members: named(
    'Membros',
    'convidar convite convites adicionar usuário equipe função funções papel papéis permissões acesso pessoas colegas remover usuário',
  ),
  team: named('Configurações da equipe', 'renomear equipe sair da equipe excluir equipe apagar time organização'),
  links: named('Links públicos', 'compartilhar compartilhado incorporar iframe embed expirar'),
  mail: named('E-mails', 'email correio smtp sendgrid enviados teste notificações'),
  activity: named('Atividade', 'auditoria registro histórico alterações logs log segurança quem fez'),
  keys: named(
    'Chaves de API',
    'chaves chave de api token tokens de acesso pessoal rest escopos criar chave revogar desenvolvedor',
  ),
  account: named(
    'Sua conta',
    'perfil meu nome e-mail email trocar e-mail idioma fuso horário tabelas csv excel aparência',
  ),
  'sign-in': named(
    'Login e segurança',
    'conta senha trocar senha redefinir senha 2fa autenticação de dois fatores verificação em duas etapas aplicativo autenticador entrar códigos de recuperação chave de acesso passkey google sso conexões',
  ),
  sessions: named('Sessões', 'conta dispositivos aparelhos sair de todos encerrar desconectar'),
  home: named('Todos os projetos', 'início trocar projeto equipes sites'),
  'new-project': named('Novo projeto', 'criar projeto adicionar projeto site'),
  'new-team': named('Nova equipe', 'criar equipe adicionar equipe time organização'),
  status: named(
    'Status',
    'saúde servidor espaço em disco banco de dados memória tarefas versão processos consultas lentas instalação',
  ),
};

export const placeWords: Part<typeof en> = { en, 'pt-BR': ptBR };

/** The words of all languages by which a place is found, its names among them. */
export function keywordsOf(id: PlaceId): string {
  return Object.values(placeWords)
    .map((words) => `${words[id].name} ${words[id].keywords}`)
    .join(' ');
}
