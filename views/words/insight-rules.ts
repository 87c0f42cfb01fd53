/** How the answers to insights are calculated, by kind. */
import type { KindName } from '#views/insights/insight.ts';
import type { Part } from './part.ts';

const traffic = 'Bots and internal traffic are excluded. People merged later count as one person.';

const en: Record<KindName, readonly string[]> = {
  trends: [
    'Each point counts the events of its interval. Unique people and sessions count once per interval, and once in the total.',
    'Active users of an interval are the people with an event in the 1, 7 or 30 days up to its end. Their total is that of the last interval.',
    'First time ever: people whose first event of this name lies in the interval and matches the filters of the series. First matching event: people whose first event that matches them lies in it. Each person counts once.',
    'Cumulative points count from the start of the period: each person once up to that point.',
    'Percentiles are those of the values themselves, without grouping. Property values that are not numbers are excluded.',
    'A breakdown ranks values over the whole period. Values without a row of their own are in Other.',
    'A formula uses the numbers of its series: those of an interval, of a value, or the totals. It has no value where a series has none, and where it would divide by zero. With a formula, all series have the same rows, ranked by their events together.',
    traffic,
  ],
  funnel: [
    'A person converts at a step if they do it after the step before, and within the conversion window of their first step.',
    'Of several attempts in the period, the one that gets furthest counts; among equals, the first.',
    'Time to convert is measured between the matched steps of one attempt.',
    traffic,
  ],
  retention: [
    'A cohort is everyone who started in the same period. A cell is the share of them with the returning event that many periods later.',
    'The weighted mean divides all returns by all people who started. The simple mean is the mean of the cohorts’ shares.',
    'Unfinished periods are marked and excluded from both means.',
    traffic,
  ],
  paths: [
    'A path is what one person did without a pause longer than the session timeout. Repeated steps count once.',
    'Times counts transitions: one person can make several. People counts each person once per transition.',
    traffic,
  ],
  lifecycle: [
    'New: the person’s first event of any kind is in the interval. Returning: active in the interval before, too. Resurrecting: active, but not in the interval before. Dormant: active in the interval before, not in this one.',
    'While an interval is running, nobody is dormant yet.',
    traffic,
  ],
  stickiness: ['Each person counts once, at the number of intervals in which they were active.', traffic],
};

const trafego = 'Bots e tráfego interno são excluídos. Pessoas unificadas depois contam como uma só.';

const ptBR: typeof en = {
  trends: [
    'Cada ponto conta os eventos do seu intervalo. Pessoas únicas e sessões contam uma vez por intervalo e uma vez no total.',
    'Usuários ativos de um intervalo são as pessoas com um evento nos 1, 7 ou 30 dias até o seu fim. O total é o do último intervalo.',
    'Primeira vez: pessoas cujo primeiro evento com este nome está no intervalo e atende aos filtros da série. Primeiro evento que atende aos filtros: pessoas cujo primeiro evento que os atende está no intervalo. Cada pessoa conta uma vez.',
    'Pontos acumulados contam desde o início do período: cada pessoa uma vez até aquele ponto.',
    'Percentis são calculados sobre os próprios valores, sem agrupamento. Valores que não são números são excluídos.',
    'O detalhamento ordena os valores no período inteiro. Valores sem linha própria estão em Outros.',
    'Uma fórmula usa os números das suas séries: os de um intervalo, os de um valor ou os totais. Fica sem valor onde falta o de uma série e onde haveria divisão por zero. Com fórmula, todas as séries têm as mesmas linhas, ordenadas pela soma dos eventos.',
    trafego,
  ],
  funnel: [
    'Uma pessoa converte em uma etapa quando a faz depois da etapa anterior e dentro da janela de conversão da primeira etapa.',
    'De várias tentativas no período, conta a que chega mais longe; entre iguais, a primeira.',
    'O tempo até converter é medido entre as etapas de uma mesma tentativa.',
    trafego,
  ],
  retention: [
    'Uma coorte reúne quem começou no mesmo período. Cada célula é a parte que fez o evento de retorno tantos períodos depois.',
    'A média ponderada divide todos os retornos por todas as pessoas que começaram. A média simples é a média das taxas das coortes.',
    'Períodos em andamento são marcados e ficam fora das duas médias.',
    trafego,
  ],
  paths: [
    'Um caminho é o que uma pessoa fez sem uma pausa maior que o limite da sessão. Passos repetidos contam uma vez.',
    'Vezes conta transições: uma pessoa pode fazer várias. Pessoas conta cada pessoa uma vez por transição.',
    trafego,
  ],
  lifecycle: [
    'Novos: o primeiro evento da pessoa está no intervalo. Recorrentes: ativos também no intervalo anterior. Reativados: ativos, mas não no intervalo anterior. Inativos: ativos no intervalo anterior e não neste.',
    'Enquanto um intervalo está em andamento, ninguém é inativo ainda.',
    trafego,
  ],
  stickiness: ['Cada pessoa conta uma vez, no número de intervalos em que esteve ativa.', trafego],
};

export const insightRuleWords: Part<typeof en> = { en, 'pt-BR': ptBR };
