/** Words for how the numbers about what is kept and passed on are counted: sizes, stored events, files, receipts. Part of `explain-screens.ts`. */
import type { ExplainedScreen } from '#src/insights/explain/contract.ts';
import type { ExplainedWords } from './explain-screens.ts';
import type { Part } from './part.ts';

type Kept = Extract<ExplainedScreen, 'status' | 'upstream' | 'stored' | 'list' | 'files' | 'privacy'>;

const en: Record<Kept, ExplainedWords> = {
  status: {
    definitions: [
      'Database: all of it as PostgreSQL says it, indexes included; its log and its backups are not.',
      'Events of a project: all that are stored, those of bots and of your own team among them.',
      'Size: the tables that grow with events and their indexes, shared out by the number of events. Two projects whose events are of different length differ in truth.',
      'A day: a seventh of the events that happened on the last seven whole days (UTC), and their share of the size.',
      'Disks: what the file system says is free to this process. Full in: that, divided by the bytes of a day of all projects.',
      'Memory: what the process has in main memory (RSS), with what it shares with others.',
      'Events on disk: those that processes keep while PostgreSQL is away, and that are not in the database yet.',
      'Recurring work: how often in a row a job failed since it last succeeded.',
      'Refused requests: those that came for no project or could not be read, over the last 24 hours, the one that runs included.',
      'Slow questions: those that took longer than half a second within the last day, in all processes; the 20 longest texts.',
    ],
  },
  upstream: {
    definitions: [
      'Requests, not events: one may bring many. Those of all projects, by all processes, also those that are over.',
      'Passed on: requests that the upstream answered, whatever it said; of a mirror, those that it took.',
      'Not answered: of a relay, requests answered 502 or 504 here; of a mirror, tries that the upstream did not take. The same request can be tried often.',
      'Under way: requests that this process passes on at this moment. It is in its memory alone.',
      'Waiting: requests in the queue that will be tried again. Refused for good: those to which the upstream answered that it never takes them; they are kept for 14 days.',
      'Not queued: requests that were stored here while the queue was full (1 GB), and are not passed on.',
      'Each process writes its counts every second; the screen adds what the process that answers has not written yet.',
    ],
  },
  stored: {
    definitions: [
      'All events of the project that are in the database, those of bots and of your own team among them. What was received again is stored once.',
      'Older than a retention: those that happened earlier than so many times 24 hours ago, by quarters of an hour. The night deletes whole days (UTC).',
    ],
  },
  list: {
    definitions: [
      'All events of the range that the filters keep, by the time at which they happened. Nothing is left out: those of bots and of your own team are counted, and the SQL says how many they are.',
      'Where only looking at every row would tell, the list does not count; the SQL does.',
    ],
  },
  files: {
    definitions: [
      'Rows: events or people in the file, without the line of names. While a file is being made, those written so far.',
      'Size: of the text as you get it. It is kept compressed, which takes less.',
    ],
  },
  privacy: {
    definitions: [
      'Receipts: rows of each table that were handed out, or deleted, for one person by all their ids. An erasure counts those of both rounds: at once, and after what was still on its way.',
      'Retention: events and visits that one night deleted because they happened before the day named.',
    ],
  },
};

const ptBR: typeof en = {
  status: {
    definitions: [
      'Banco de dados: ele todo, como o PostgreSQL informa, com os índices; sem o WAL e sem as cópias de segurança.',
      'Eventos de um projeto: todos os guardados, incluindo os de robôs e os da sua própria equipe.',
      'Tamanho: as tabelas que crescem com os eventos e os índices delas, repartidos pelo número de eventos. Projetos com eventos de comprimentos diferentes diferem, na verdade.',
      'Por dia: um sétimo dos eventos que aconteceram nos últimos sete dias inteiros (UTC), e a parte deles no tamanho.',
      'Discos: o que o sistema de arquivos diz estar livre para este processo. Cheio em: isso, dividido pelos bytes de um dia de todos os projetos.',
      'Memória: o que o processo ocupa na memória principal (RSS), com o que divide com outros.',
      'Eventos no disco: os que os processos guardam enquanto o PostgreSQL não responde, e que ainda não estão no banco.',
      'Tarefas recorrentes: quantas vezes seguidas uma tarefa falhou desde a última vez que deu certo.',
      'Requisições recusadas: as que não eram de nenhum projeto ou não puderam ser lidas, nas últimas 24 horas, com a que corre.',
      'Consultas lentas: as que levaram mais de meio segundo no último dia, em todos os processos; os 20 textos mais demorados.',
    ],
  },
  upstream: {
    definitions: [
      'Envios, não eventos: um envio pode trazer muitos. De todos os projetos e de todos os processos, também dos que já terminaram.',
      'Repassados: envios que o destino respondeu, seja o que for; no espelho, os que ele aceitou.',
      'Sem resposta: no repasse, envios respondidos aqui com 502 ou 504; no espelho, tentativas que o destino não aceitou. O mesmo envio pode ser tentado várias vezes.',
      'Em andamento: envios que este processo repassa neste momento. Só a memória dele sabe.',
      'Esperando: envios na fila que serão tentados de novo. Recusados de vez: os que o destino disse que nunca aceita; ficam guardados por 14 dias.',
      'Fora da fila: envios guardados aqui com a fila cheia (1 GB), que não são repassados.',
      'Cada processo grava as suas contas a cada segundo; a tela soma o que o processo que responde ainda não gravou.',
    ],
  },
  stored: {
    definitions: [
      'Todos os eventos do projeto que estão no banco de dados, incluindo os de robôs e os da sua própria equipe. O que chega de novo fica guardado uma vez só.',
      'Mais antigos que o prazo: os que aconteceram antes de tantas vezes 24 horas atrás, por quartos de hora. A noite exclui dias inteiros (UTC).',
    ],
  },
  list: {
    definitions: [
      'Todos os eventos do período que os filtros mantêm, pela hora em que aconteceram. Nada fica de fora: os de robôs e os da sua própria equipe contam, e o SQL diz quantos são.',
      'Quando só olhando cada linha se saberia, a lista não conta; o SQL conta.',
    ],
  },
  files: {
    definitions: [
      'Linhas: eventos ou pessoas no arquivo, sem a linha dos nomes. Enquanto o arquivo é feito, as já escritas.',
      'Tamanho: do texto, como você o recebe. Ele fica guardado comprimido, o que ocupa menos.',
    ],
  },
  privacy: {
    definitions: [
      'Recibos: linhas de cada tabela entregues ou excluídas de uma pessoa, por todos os identificadores dela. Uma exclusão conta as das duas rodadas: na hora, e depois do que ainda estava a caminho.',
      'Retenção: eventos e visitas que uma noite excluiu porque aconteceram antes do dia indicado.',
    ],
  },
};

export const keptWords: Part<typeof en> = { en, 'pt-BR': ptBR };
