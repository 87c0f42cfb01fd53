/** How other products count, in words: by number, where their rule gives one on the same events. */
import type { Elsewhere, Explained } from '#src/insights/explain/contract.ts';

/** A rule's result; without `by` it is explained in words only. */
interface Rule {
  by?: Elsewhere['product'];
  text: (value: string) => string;
}
type Rules = Partial<Record<Explained, Rule[]>>;

export const rules: Rules = {
  visitors: [
    {
      by: 'plausible',
      text: (value) => `Plausible assigns visitors a new ID every day: ${value}. More if people use several devices.`,
    },
    { by: 'umami', text: (value) => `Umami assigns visitors a new ID every month (default): ${value}.` },
    {
      text: () => 'GA4 counts browsers by cookie, models users without consent and reports active users only.',
    },
  ],
  visits: [
    { text: () => 'GA4 and Plausible also end a visit after 30 minutes without activity.' },
    { text: () => 'Matomo also starts a new visit at midnight and for each new campaign, so it reports more visits.' },
    {
      text: () =>
        'Umami starts a new visit 30 minutes after the first view, regardless of activity, so it reports more visits.',
    },
  ],
  bounceRate: [
    {
      by: 'ga4',
      text: (value) =>
        `GA4: visits that weren’t engaged, i.e. fewer than two views, at most 10 seconds and no key event (here: any goal): ${value}.`,
    },
    {
      by: 'plausible',
      text: (value) => `Plausible: visits with one view and no custom event, regardless of duration: ${value}.`,
    },
    {
      by: 'openpanel',
      text: (value) =>
        `OpenPanel and Umami: visits with one view, regardless of other activity: ${value}. Umami only considers views within the selected period.`,
    },
  ],
  visitDuration: [
    { by: 'openpanel', text: (value) => `OpenPanel excludes visits of 0 seconds: ${value}.` },
    { text: () => 'Plausible also divides by all visits.' },
    { text: () => 'GA4 reports engagement time instead: the time the page was in the foreground.' },
  ],
  conversions: [{ by: 'ga4', text: (value) => `GA4 can count a key event once per session: ${value}.` }],
  conversionRate: [
    {
      by: 'plausible',
      text: (value) =>
        `Plausible assigns visitors a new ID every day. Sum of daily converting visitors ÷ sum of daily visitors: ${value}.`,
    },
    {
      by: 'ga4',
      text: (value) => `GA4 reports a session key event rate: visits with a conversion ÷ all visits: ${value}.`,
    },
  ],
  revenue: [{ text: () => 'GA4 converts all amounts to one currency at the daily exchange rate.' }],
  channel: [
    {
      text: () =>
        'GA4 classifies campaigns and Google Ads by its own rules, and attributes direct returns to the last non-direct source.',
    },
  ],
  vitals: [
    { by: 'posthog', text: (value) => `PostHog shows the 90th percentile (p90) by default: ${value}.` },
    { text: () => 'Google also rates sites by the 75th percentile (p75).' },
  ],
};

export const regras: Rules = {
  visitors: [
    {
      by: 'plausible',
      text: (value) =>
        `O Plausible cria um novo ID de visitante por dia: ${value}, e mais quando a pessoa usa vários dispositivos.`,
    },
    { by: 'umami', text: (value) => `O Umami cria um novo ID de visitante por mês (padrão): ${value}.` },
    {
      text: () => 'O GA4 conta navegadores por cookie, estima quem não consentiu e mostra apenas usuários ativos.',
    },
  ],
  visits: [
    { text: () => 'O GA4 e o Plausible também encerram a visita após 30 minutos sem atividade.' },
    { text: () => 'O Matomo inicia outra visita à meia-noite e a cada nova campanha, por isso mostra mais.' },
    {
      text: () =>
        'O Umami inicia outra visita 30 minutos após a primeira visualização, mesmo com atividade, por isso mostra mais.',
    },
  ],
  bounceRate: [
    {
      by: 'ga4',
      text: (value) =>
        `GA4: visita não engajada, com menos de 2 visualizações, até 10 segundos e nenhum evento principal (aqui, qualquer meta): ${value}.`,
    },
    {
      by: 'plausible',
      text: (value) =>
        `Plausible: visita com uma visualização e nenhum evento personalizado, por mais longa que seja: ${value}.`,
    },
    {
      by: 'openpanel',
      text: (value) =>
        `OpenPanel e Umami: visita com uma visualização, com qualquer outra ação: ${value}. O Umami considera só as visualizações do período.`,
    },
  ],
  visitDuration: [
    { by: 'openpanel', text: (value) => `O OpenPanel exclui das métricas visitas de 0 segundo: ${value}.` },
    { text: () => 'O Plausible também divide por todas as visitas.' },
    { text: () => 'O GA4 mostra o tempo com a página em primeiro plano.' },
  ],
  conversions: [{ by: 'ga4', text: (value) => `O GA4 pode contar o evento principal uma vez por sessão: ${value}.` }],
  conversionRate: [
    {
      by: 'plausible',
      text: (value) =>
        `O Plausible cria um novo ID por dia. Visitantes que converteram em cada dia ÷ visitantes de cada dia: ${value}.`,
    },
    {
      by: 'ga4',
      text: (value) => `O GA4 tem a taxa por sessão: sessões com conversão ÷ todas as sessões: ${value}.`,
    },
  ],
  revenue: [{ text: () => 'O GA4 converte todos os valores para uma moeda, pela cotação do dia.' }],
  channel: [
    {
      text: () =>
        'O GA4 classifica campanhas e Google Ads por lista própria e mantém a última origem de quem volta por acesso direto.',
    },
  ],
  vitals: [
    { by: 'posthog', text: (value) => `O PostHog mostra por padrão o percentil 90 (p90): ${value}.` },
    { text: () => 'O Google também avalia os sites pelo percentil 75 (p75).' },
  ],
};
