import type { BreakdownDimension } from '#src/insights/contract.ts';
import { en } from '#views/words/en.ts';
import { formatOf } from '#views/words/format.ts';
import { ptBR } from '#views/words/pt-br.ts';
import { tableWords } from '#views/words/tables.ts';
import { valueText } from '#views/words/value-text.ts';

const english = { own: tableWords.en, format: formatOf(en), locale: en.writing.locale };
const portuguese = { own: tableWords['pt-BR'], format: formatOf(ptBR), locale: ptBR.writing.locale };

it.each<[BreakdownDimension, string, string, string]>([
  ['country', 'BR', 'Brazil', 'Brasil'],
  ['country', 'Brazil', 'Brazil', 'Brazil'],
  ['language', 'pt-BR', 'Brazilian Portuguese', 'português (Brasil)'],
  ['language', 'not a tag', 'not a tag', 'not a tag'],
  ['channel', 'Organic Search', 'Organic Search', 'Busca orgânica'],
  ['channel', 'Our own rule', 'Our own rule', 'Our own rule'],
  ['deviceType', 'Mobile', 'Mobile', 'Celular'],
  ['viewportWidth', '1440+', '1,440 px and wider', '1.440 px ou mais'],
  ['outbound', 'https://wa.me/55/', 'wa.me/55', 'wa.me/55'],
  ['outbound', 'https://caf.example/p%C3%A3o', 'caf.example/pão', 'caf.example/pão'],
  ['entryPage', '/busca/caf%C3%A9', '/busca/café', '/busca/café'],
  ['utmCampaign', 'caf%C3%A9', 'caf%C3%A9', 'caf%C3%A9'],
  ['referringDomain', '$direct', 'Direct / none', 'Direto'],
  ['utmSource', '', '(none)', '(vazio)'],
  ['event', 'constructor', 'constructor', 'constructor'],
  ['channel', 'constructor', 'constructor', 'constructor'],
])('%s %j is read as %j and %j', (dimension, value, inEnglish, inPortuguese) => {
  expect(valueText(dimension, value, english)).toBe(inEnglish);
  expect(valueText(dimension, value, portuguese)).toBe(inPortuguese);
});
