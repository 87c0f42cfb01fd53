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
  failedTitle: 'Something went wrong',
  failedText: 'This page couldn’t be loaded. The error was logged. Events already received are stored.',
  code: 'Error code',
  refusedTitle: 'You don’t have access to this page',
  limits: {
    viewer: 'Viewers can’t see people, individual events or settings.',
    member: 'Members can’t see settings, member activity or API keys.',
    admin: 'Only owners can see this.',
    owner: 'Only the administrator of this server can see this.',
  } as Record<Role, string>,
  ask: (names: readonly string[]) => `Ask ${listed(names, 'or')} for access.`,
  busyTitle: 'The server is busy',
  busyText:
    'The database answers, but not fast enough. Incoming events are stored or buffered on disk. Try again in a moment.',
  unavailableTitle: 'Database unavailable',
  unavailableText:
    'Data will be back once the database responds. Incoming events are buffered on disk or retried by clients.',
};

const ptBR: typeof en = {
  toHome: 'Ir para os projetos',
  failedTitle: 'Algo deu errado do nosso lado',
  failedText: 'Não foi possível carregar esta página. Os eventos recebidos estão armazenados e o erro foi registrado.',
  code: 'código',
  refusedTitle: 'Sua função não dá acesso a esta página',
  limits: {
    viewer: 'Leitores não veem pessoas, eventos individuais nem configurações.',
    member: 'Membros não veem configurações, atividade da equipe nem chaves de API.',
    admin: 'Só proprietários têm acesso.',
    owner: 'Só o administrador deste servidor tem acesso.',
  },
  ask: (names) => `Fale com ${listed(names, 'ou')}.`,
  busyTitle: 'O servidor está sobrecarregado',
  busyText:
    'O banco de dados está respondendo devagar. Os eventos continuam sendo recebidos. Tente de novo em instantes.',
  unavailableTitle: 'Banco de dados indisponível',
  unavailableText:
    'As métricas voltam quando ele responder. Até lá, os eventos ficam em disco ou são reenviados pelos clientes.',
};

export const problemWords: Part<typeof en> = { en, 'pt-BR': ptBR };
