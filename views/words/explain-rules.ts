/** How other products count, in words: by number, where their rule gives one on the same events. */
import type { Elsewhere, Explained } from '#src/insights/explain/contract.ts';

/** What a rule gives; without `by` it is told in words alone. */
interface Rule {
  by?: Elsewhere['product'];
  text: (value: string) => string;
}
type Rules = Partial<Record<Explained, Rule[]>>;

export const rules: Rules = {
  visitors: [
    {
      by: 'plausible',
      text: (value) =>
        `Plausible gives everyone a new id each day: ${value}, and more where a person uses several devices.`,
    },
    { by: 'umami', text: (value) => `Umami gives everyone a new id each month: ${value}.` },
    {
      text: () => 'GA4 counts browsers by their cookie, estimates those without consent, and shows active users only.',
    },
  ],
  visits: [
    { text: () => 'GA4 and Plausible end a visit as here, after 30 minutes without activity.' },
    { text: () => 'Matomo begins another visit at midnight and with each new campaign, so it has more.' },
    { text: () => 'Umami begins another one 30 minutes after the first view, however active it is, so it has more.' },
  ],
  bounceRate: [
    {
      by: 'ga4',
      text: (value) =>
        `GA4: a visit that was not engaged, with less than two views, at most ten seconds and no key event, which here is any goal: ${value}.`,
    },
    {
      by: 'plausible',
      text: (value) => `Plausible: a visit with one view and no event of your own, however long it was read: ${value}.`,
    },
    {
      by: 'openpanel',
      text: (value) =>
        `OpenPanel and Umami: a visit with one view, whatever else was done in it: ${value}. Umami looks at the views of the period alone.`,
    },
  ],
  visitDuration: [
    { by: 'openpanel', text: (value) => `OpenPanel leaves out visits of 0 seconds: ${value}.` },
    { text: () => 'Plausible divides by all visits, as here.' },
    { text: () => 'GA4 shows the time in which the page was in the foreground instead.' },
  ],
  conversions: [{ by: 'ga4', text: (value) => `GA4 can count a key event once in each visit: ${value}.` }],
  conversionRate: [
    {
      by: 'plausible',
      text: (value) =>
        `Plausible gives everyone a new id each day. The visitors of each day who reached it on that day, of all of each day: ${value}.`,
    },
    { by: 'ga4', text: (value) => `GA4 has a rate of visits: those in which it was reached, of all: ${value}.` },
  ],
  revenue: [{ text: () => 'GA4 converts all amounts into one currency, by the rate of the day.' }],
  channel: [
    {
      text: () =>
        'GA4 puts campaigns and Google Ads by its own list, and keeps the last source for those who come back directly.',
    },
  ],
  vitals: [
    { by: 'posthog', text: (value) => `PostHog shows the 90th percentile first: ${value}.` },
    { text: () => 'Google rates sites by the 75th percentile, as here.' },
  ],
};

export const regras: Rules = {
  visitors: [
    {
      by: 'plausible',
      text: (value) =>
        `O Plausible dá a cada um um identificador novo por dia: ${value}, e mais quando a pessoa usa vários aparelhos.`,
    },
    { by: 'umami', text: (value) => `O Umami dá a cada um um identificador novo por mês: ${value}.` },
    {
      text: () => 'O GA4 conta navegadores pelo cookie, estima quem não consentiu e mostra só usuários ativos.',
    },
  ],
  visits: [
    { text: () => 'O GA4 e o Plausible encerram a visita como aqui, após 30 minutos sem atividade.' },
    { text: () => 'O Matomo começa outra visita à meia-noite e a cada nova campanha; por isso tem mais.' },
    {
      text: () =>
        'O Umami começa outra 30 minutos após a primeira página vista, por mais ativa que a visita seja; por isso tem mais.',
    },
  ],
  bounceRate: [
    {
      by: 'ga4',
      text: (value) =>
        `GA4: visita sem engajamento, com menos de duas páginas vistas, no máximo dez segundos e nenhum evento principal, que aqui é qualquer meta: ${value}.`,
    },
    {
      by: 'plausible',
      text: (value) =>
        `Plausible: é rejeição a visita com uma página vista e nenhum evento seu, por mais que se leia: ${value}.`,
    },
    {
      by: 'openpanel',
      text: (value) =>
        `OpenPanel e Umami: visita com uma página vista, não importa o que mais foi feito nela: ${value}. O Umami olha só as páginas vistas dentro do período.`,
    },
  ],
  visitDuration: [
    { by: 'openpanel', text: (value) => `O OpenPanel deixa de fora as visitas de 0 segundo: ${value}.` },
    { text: () => 'O Plausible divide por todas as visitas, como aqui.' },
    { text: () => 'O GA4 mostra, em vez disso, o tempo em que a página esteve em primeiro plano.' },
  ],
  conversions: [{ by: 'ga4', text: (value) => `O GA4 pode contar o evento principal uma vez por visita: ${value}.` }],
  conversionRate: [
    {
      by: 'plausible',
      text: (value) =>
        `O Plausible dá a cada um um identificador novo por dia. Os visitantes de cada dia que a alcançaram nesse dia, sobre todos os de cada dia: ${value}.`,
    },
    {
      by: 'ga4',
      text: (value) => `O GA4 tem uma taxa de visitas: aquelas em que foi alcançada, sobre todas: ${value}.`,
    },
  ],
  revenue: [{ text: () => 'O GA4 converte todos os valores para uma só moeda, pela cotação do dia.' }],
  channel: [
    {
      text: () =>
        'O GA4 classifica campanhas e o Google Ads por uma lista própria e mantém a última origem de quem volta diretamente.',
    },
  ],
  vitals: [
    { by: 'posthog', text: (value) => `O PostHog mostra primeiro o percentil 90: ${value}.` },
    { text: () => 'O Google avalia os sites pelo percentil 75, como aqui.' },
  ],
};
