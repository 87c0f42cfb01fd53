/** Words of a project's insights on ClickHouse. */
import type { Part } from './part.ts';
import { counted } from './sentences.ts';

const en = {
  title: 'ClickHouse',
  text: 'A copy of your events for faster insights on large projects. The numbers are the same.',
  run: 'Run insights on ClickHouse',
  runHint:
    'Overview, trends, funnels, retention, lifecycle, stickiness, paths and groups. Everything else runs on PostgreSQL.',
  notYet: 'Available as soon as all events are copied.',
  used: 'Insights run on ClickHouse.',
  unused: 'Insights run on PostgreSQL.',
  behind: 'Insights run on PostgreSQL until the copy is up to date.',
  until: (when: string, lag: string) => `Copied until ${when}, ${lag} behind`,
  copying: 'Copying stored events',
  waiting: (n: number, text: string) => `${counted(n, text, 'event waits', 'events wait')} to be copied`,
  waitingMore: (text: string) => `At least ${text} events wait to be copied`,
  noneWaiting: 'No events wait',
  failing:
    'Copying fails and is retried. Events are stored all the same. Your administrator sees the reason on Status.',
  switchedOn: 'Insights run on ClickHouse within a minute',
  switchedOff: 'Insights run on PostgreSQL within a minute',
};

const ptBR: typeof en = {
  title: 'ClickHouse',
  text: 'Uma cópia dos eventos, para insights mais rápidos em projetos grandes. Os números são os mesmos.',
  run: 'Rodar insights no ClickHouse',
  runHint:
    'Visão geral, tendências, funis, retenção, ciclo de vida, frequência de uso, caminhos e grupos. O restante roda no PostgreSQL.',
  notYet: 'Disponível assim que todos os eventos forem copiados.',
  used: 'Os insights rodam no ClickHouse.',
  unused: 'Os insights rodam no PostgreSQL.',
  behind: 'Os insights rodam no PostgreSQL até a cópia ficar em dia.',
  until: (when, lag) => `Copiado até ${when}, ${lag} de atraso`,
  copying: 'Copiando os eventos gravados',
  waiting: (n, text) => `${counted(n, text, 'evento na fila', 'eventos na fila')}`,
  waitingMore: (text) => `No mínimo ${text} eventos na fila`,
  noneWaiting: 'Nenhum evento na fila',
  failing:
    'A cópia está falhando e será repetida. Os eventos continuam gravados. O administrador vê o motivo na tela Status.',
  switchedOn: 'Os insights passam a rodar no ClickHouse em até um minuto',
  switchedOff: 'Os insights passam a rodar no PostgreSQL em até um minuto',
};

export const clickhouseWords: Part<typeof en> = { en, 'pt-BR': ptBR };
