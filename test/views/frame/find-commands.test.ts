import { findCommands } from '#views/frame/find-commands.ts';

const commands = [
  { group: 'Ir para', text: 'Visão geral' },
  { group: 'Ir para', text: 'Ao vivo' },
  { group: 'Projetos', text: 'Café Serrana' },
  { group: 'Fazer', text: 'Tema: Escuro' },
  { group: 'Fazer', text: 'Escrever' },
];
const texts = (typed: string): string[] => findCommands(commands, typed).map(({ text }) => text);

describe('findCommands', () => {
  it.each([
    ['', ['Visão geral', 'Ao vivo', 'Café Serrana', 'Tema: Escuro', 'Escrever']],
    ['cafe', ['Café Serrana']],
    ['VISAO', ['Visão geral']],
    ['vi', ['Visão geral', 'Ao vivo']],
    ['tema esc', ['Tema: Escuro']],
    ['fazer', ['Tema: Escuro', 'Escrever']],
    ['uro', ['Tema: Escuro']],
    ['xyz', []],
    ['  ', ['Visão geral', 'Ao vivo', 'Café Serrana', 'Tema: Escuro', 'Escrever']],
  ])('%j', (typed, found) => {
    expect(texts(typed)).toEqual(found);
  });
});
