/** Words of what a change is made of: on Overview, and in reports. They say what was counted, never why. */
import type { MoverDimension, MoverMetric } from '#src/insights/kinds/movers/values.ts';
import type { Part } from './part.ts';

const en = {
  metrics: { visitors: 'Visitors', conversions: 'Conversions', revenue: 'Revenue' } as Record<MoverMetric, string>,
  metric: 'Number',
  columns: { previous: 'Before', now: 'Now', change: 'Change', share: 'Share of change', chance: 'Could be chance' },
  isChance: { true: 'Yes', false: 'No' },
  pValue: (text: string): string => `p = ${text}`,
  others: (count: number, text: string): string => (count === 1 ? '1 other value' : `${text} other values`),
  overlap: 'In several rows',
  overlapHint: 'Visitors with visits in several rows are subtracted once, so that all rows sum to the change.',
  explained:
    'Parts sum to the whole change. Chance: a paired t-test over the days of both periods, adjusted for all rows. A row is not a cause.',
  tooShort: 'Choose at least 5 days to tell a change from chance.',
  nothing: 'Nothing to compare with',
  nothingText: 'Choose a range whose comparison has data.',
  same: 'No value changed.',
  needsGoal: 'Choose a goal to see its conversions and revenue.',
  /** `number`: with the name of the goal or the currency. */
  rose: (number: string, by: string, to: string, than: string): string =>
    `${number} rose ${by} to ${to}, compared with ${than}`,
  fell: (number: string, by: string, to: string, than: string): string =>
    `${number} fell ${by} to ${to}, compared with ${than}`,
  stayed: (number: string, to: string, than: string): string => `${number} did not change: ${to}, as in ${than}`,
  beyondChance: ', which is more than days usually differ by.',
  withinChance: ', which could be chance: days usually differ by as much.',
  unknownChance: '. These are too few days to tell it from chance.',
  conversionsOf: (goal: string): string => `Conversions (${goal})`,
  revenueOf: (goal: string): string => `Revenue (${goal})`,
  by: { channel: 'By channel', entryPage: 'By entry page', country: 'By country', deviceType: 'By device' } as Record<
    MoverDimension,
    string
  >,
  first: (by: string, name: string, change: string): string =>
    `${by}, ${name} changed the most for its size: ${change}`,
  second: (by: string, name: string, change: string): string => `${by}, it is ${name}: ${change}`,
  against: (by: string, name: string, change: string): string => `${by}, ${name} went the other way: ${change}`,
  shareOf: (share: string): string => ` (${share} of the change)`,
  alike: 'No channel, entry page, country or device stands out.',
};

const ptBR: typeof en = {
  metrics: { visitors: 'Visitantes', conversions: 'Conversões', revenue: 'Receita' },
  metric: 'Número',
  columns: {
    previous: 'Antes',
    now: 'Agora',
    change: 'Variação',
    share: 'Parte da variação',
    chance: 'Pode ser acaso',
  },
  isChance: { true: 'Sim', false: 'Não' },
  pValue: (text) => `p = ${text}`,
  others: (count, text) => (count === 1 ? '1 outro valor' : `${text} outros valores`),
  overlap: 'Em várias linhas',
  overlapHint: 'Visitantes com visitas em várias linhas são descontados, para que a soma das linhas dê a variação.',
  explained:
    'A soma das partes dá a variação total. Acaso: teste t pareado sobre os dias dos dois períodos, corrigido por todas as linhas. Uma linha não é uma causa.',
  tooShort: 'Escolha pelo menos 5 dias para distinguir a variação do acaso.',
  nothing: 'Nada para comparar',
  nothingText: 'Escolha um período cuja comparação tenha dados.',
  same: 'Nenhum valor mudou.',
  needsGoal: 'Escolha uma meta para ver conversões e receita.',
  rose: (number, by, to, than) => `${number}: alta de ${by}, para ${to}, em comparação com ${than}`,
  fell: (number, by, to, than) => `${number}: queda de ${by}, para ${to}, em comparação com ${than}`,
  stayed: (number, to, than) => `${number}: sem variação (${to}, como em ${than})`,
  beyondChance: '. É mais do que os dias costumam variar.',
  withinChance: '. Pode ser acaso: os dias costumam variar tanto quanto isso.',
  unknownChance: '. São poucos dias para distinguir do acaso.',
  conversionsOf: (goal) => `Conversões (${goal})`,
  revenueOf: (goal) => `Receita (${goal})`,
  by: {
    channel: 'Por canal',
    entryPage: 'Por página de entrada',
    country: 'Por país',
    deviceType: 'Por dispositivo',
  },
  first: (by, name, change) => `${by}, ${name} teve a maior variação em relação ao seu tamanho: ${change}`,
  second: (by, name, change) => `${by}, foi ${name}: ${change}`,
  against: (by, name, change) => `${by}, ${name} foi no sentido contrário: ${change}`,
  shareOf: (share) => ` (${share} da variação)`,
  alike: 'Nenhum canal, página de entrada, país ou dispositivo se destaca.',
};

export const moverWords: Part<typeof en> = { en, 'pt-BR': ptBR };
