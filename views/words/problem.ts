/** Words of the pages of errors, which stand without the shell. */
import type { Part } from './part.ts';

const en = {
  toOverview: 'Go to Overview',
  failedTitle: 'Something failed on our side',
  failedText:
    'This screen could not be put together. Events already received are stored, and the error has been logged.',
  code: 'code',
  unavailableTitle: 'The database is away',
  unavailableText:
    'The numbers come back when it answers. Events that arrive meanwhile are kept on disk or sent again by the clients.',
};

const ptBR: typeof en = {
  toOverview: 'Ir para a Visão geral',
  failedTitle: 'Algo falhou do nosso lado',
  failedText: 'Esta tela não pôde ser montada. Os eventos já recebidos estão guardados, e o erro ficou registrado.',
  code: 'código',
  unavailableTitle: 'O banco de dados está fora',
  unavailableText:
    'Os números voltam quando ele responder. O que chegar até lá fica em disco ou é enviado de novo pelos clientes.',
};

export const problemWords: Part<typeof en> = { en, 'pt-BR': ptBR };
