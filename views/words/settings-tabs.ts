/** Names of the tabs of the settings, which are also the titles of their screens. */
import type { Part } from './part.ts';

const en = {
  label: 'Settings sections',
  tabs: {
    settings: 'General',
    collection: 'Data collection',
    reading: 'Pages & channels',
    retention: 'Privacy & data',
    'replay-settings': 'Session replay',
    members: 'Members',
    team: 'Team',
    keys: 'API keys',
    mail: 'Email',
    links: 'Public links',
    activity: 'Activity',
    install: 'Install',
    account: 'Account',
    status: 'Status',
  },
};

const ptBR: typeof en = {
  label: 'Seções de configurações',
  tabs: {
    settings: 'Geral',
    collection: 'Coleta',
    reading: 'Páginas e canais',
    retention: 'Privacidade e dados',
    'replay-settings': 'Replay de sessão',
    members: 'Membros',
    team: 'Equipe',
    keys: 'Chaves de API',
    mail: 'E-mails',
    links: 'Links públicos',
    activity: 'Atividade',
    install: 'Instalar',
    account: 'Sua conta',
    status: 'Status',
  },
};

export const settingsTabWords: Part<typeof en> = { en, 'pt-BR': ptBR };
