/** Words of the pages of errors, which stand without the shell. */
import type { Role } from '#src/projects/contract.ts';
import type { Part } from './part.ts';

/** "Ana, Rui or Vera"; more than three are too many to ask. */
function listed(names: readonly string[], or: string): string {
  const few = names.slice(0, 3);
  const last = few.pop() ?? '';
  return few.length === 0 ? last : `${few.join(', ')} ${or} ${last}`;
}

const en = {
  toHome: 'Go to your projects',
  failedTitle: 'Something failed on our side',
  failedText:
    'This screen could not be put together. Events already received are stored, and the error has been logged.',
  code: 'code',
  refusedTitle: 'Your role does not see this',
  limits: {
    viewer: 'Viewers do not see people, single events and settings.',
    member: 'Members do not see settings, members’ activity and keys.',
    admin: 'Only owners see this.',
    owner: 'Only whoever runs this Luneta sees this.',
  } as Record<Role, string>,
  ask: (names: readonly string[]) => `Ask ${listed(names, 'or')}.`,
  unavailableTitle: 'The database is away',
  unavailableText:
    'The numbers come back when it answers. Events that arrive meanwhile are kept on disk or sent again by the clients.',
};

const ptBR: typeof en = {
  toHome: 'Ir para os projetos',
  failedTitle: 'Algo falhou do nosso lado',
  failedText: 'Esta tela não pôde ser montada. Os eventos já recebidos estão guardados, e o erro ficou registrado.',
  code: 'código',
  refusedTitle: 'O seu papel não dá acesso a isto',
  limits: {
    viewer: 'Leitores não veem pessoas, eventos avulsos nem configurações.',
    member: 'Membros não veem configurações, a atividade da equipe nem chaves.',
    admin: 'Só proprietários veem isto.',
    owner: 'Só quem opera esta Luneta vê isto.',
  },
  ask: (names) => `Fale com ${listed(names, 'ou')}.`,
  unavailableTitle: 'O banco de dados está fora',
  unavailableText:
    'Os números voltam quando ele responder. O que chegar até lá fica em disco ou é enviado de novo pelos clientes.',
};

export const problemWords: Part<typeof en> = { en, 'pt-BR': ptBR };
