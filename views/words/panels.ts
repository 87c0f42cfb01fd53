/** Words of the command palette and of the list of keys. */
import type { Part } from './part.ts';
import { counted } from './sentences.ts';

const en = {
  palette: {
    label: 'Go to or do something',
    hint: 'Screens, projects, commands',
    goTo: 'Go to',
    projects: 'Projects',
    run: 'Do',
    theme: (name: string) => `Theme: ${name}`,
    language: (name: string) => `Language: ${name}`,
    keys: 'Show the keys',
    none: 'Nothing found. Try fewer letters.',
    move: 'move',
    open: 'open',
    newTab: 'new tab',
    close: 'close',
    results: (n: number, text: string) => counted(n, text, 'result', 'results'),
  },
  keys: {
    title: 'Keys',
    palette: 'Search and commands',
    overview: 'Go to Overview',
    live: 'Go to Live',
    ingestion: 'Go to Ingestion',
    range: 'Date range',
    pause: 'Pause or resume Live',
    help: 'This list',
    single: 'Use single keys',
    singleHint: 'Keys with Ctrl always work.',
    after: 'then',
  },
};

const ptBR: typeof en = {
  palette: {
    label: 'Ir para uma tela ou dar um comando',
    hint: 'Telas, projetos, comandos',
    goTo: 'Ir para',
    projects: 'Projetos',
    run: 'Fazer',
    theme: (name) => `Tema: ${name}`,
    language: (name) => `Idioma: ${name}`,
    keys: 'Mostrar as teclas',
    none: 'Nada encontrado. Tente com menos letras.',
    move: 'mover',
    open: 'abrir',
    newTab: 'nova aba',
    close: 'fechar',
    results: (n, text) => counted(n, text, 'resultado', 'resultados'),
  },
  keys: {
    title: 'Teclas',
    palette: 'Busca e comandos',
    overview: 'Ir para a Visão geral',
    live: 'Ir para Ao vivo',
    ingestion: 'Ir para Recebimento',
    range: 'Período',
    pause: 'Pausar ou continuar Ao vivo',
    help: 'Esta lista',
    single: 'Usar teclas sozinhas',
    singleHint: 'As teclas com Ctrl sempre funcionam.',
    after: 'depois',
  },
};

export const panelWords: Part<typeof en> = { en, 'pt-BR': ptBR };
