/** The palette leads to every screen that has a name, by the words that people use in either language, and only where the role may go. */
import { isAtLeast } from '#src/accounts/values.ts';
import { roles } from '#src/projects/contract.ts';
import { findCommands } from '#views/frame/find-commands.ts';
import { places, placesFor } from '#views/frame/places.ts';
import { screens } from '#views/screen-list.ts';
import { keywordsOf, type PlaceId, placeWords } from '#views/words/places.ts';

const within = { project: '2', team: 3 };
const owner = { role: 'owner', isOperator: true } as const;

function found(typed: string, language: 'en' | 'pt-BR'): PlaceId[] {
  const commands = placesFor(owner, within).map(({ id }) => ({
    id,
    group: '',
    text: placeWords[language][id].name,
    keywords: keywordsOf(id),
  }));
  return findCommands(commands, typed).map(({ id }) => id);
}

it('leads to every screen but those of signing in, and those of one dashboard, alert, insight, group, recording, issue or person', () => {
  const led = new Set<string>(places.map(({ screen }) => screen));
  const missing = screens.filter(({ name, needs }) => needs !== 'anyone' && !led.has(name)).map(({ name }) => name);
  expect(missing).toEqual([
    ...['dashboard', 'dashboard-wall', 'alert', 'insight', 'group', 'replay', 'issue', 'person'],
  ]);
});

it.each<[string, PlaceId]>([
  ['2fa', 'sign-in'],
  ['two-factor', 'sign-in'],
  ['dois fatores', 'sign-in'],
  ['password', 'sign-in'],
  ['change my password', 'sign-in'],
  ['trocar a senha', 'sign-in'],
  ['passkey', 'sign-in'],
  ['api key', 'keys'],
  ['api keys', 'keys'],
  ['chave de API', 'keys'],
  ['access token', 'keys'],
  ['invite', 'members'],
  ['add user', 'members'],
  ['convidar', 'members'],
  ['usuarios', 'people'],
  ['permissions', 'members'],
  ['permissões', 'members'],
  ['time zone', 'settings'],
  ['time zone', 'account'],
  ['timezone', 'settings'],
  ['fuso horario', 'settings'],
  ['fuso', 'account'],
  ['mail', 'mail'],
  ['e-mail', 'mail'],
  ['smtp', 'mail'],
  ['correio', 'mail'],
  ['export', 'event-exports'],
  ['export', 'privacy'],
  ['exportar', 'event-exports'],
  ['download', 'event-exports'],
  ['delete', 'settings'],
  ['delete project', 'settings'],
  ['excluir projeto', 'settings'],
  ['apagar', 'privacy'],
  ['delete team', 'team'],
  ['retention', 'retention'],
  ['retenção', 'retention'],
  ['lgpd', 'privacy'],
  ['gdpr', 'retention'],
  ['audit log', 'activity'],
  ['auditoria', 'activity'],
  ['snippet', 'install'],
  ['instalação', 'install'],
  ['disk', 'status'],
  ['saude', 'status'],
  ['real time', 'live'],
  ['ao vivo', 'live'],
  ['conversions', 'goals'],
  ['conversões', 'goals'],
  ['bots', 'collection'],
  ['devices', 'sessions'],
  ['dispositivos', 'sessions'],
  ['create project', 'new-project'],
  ['criar projeto', 'new-project'],
  ['language', 'account'],
  ['idioma', 'account'],
  ['csv', 'event-exports'],
  ['warnings', 'ingestion'],
  ['propriedades', 'definitions'],
  ['autenticação de dois fatores', 'sign-in'],
  ['authenticator app', 'sign-in'],
  ['aplicativo autenticador', 'sign-in'],
  ['apikey', 'keys'],
  ['tokens', 'keys'],
  ['invite teammate', 'members'],
  ['change role', 'members'],
  ['papel', 'members'],
  ['logs', 'activity'],
  ['A/B', 'experiments'],
  ['segmento', 'overview'],
  ['mapa', 'overview'],
  ['moeda', 'goals'],
])('%j finds %s in both languages', (typed, id) => {
  expect(found(typed, 'en')).toContain(id);
  expect(found(typed, 'pt-BR')).toContain(id);
});

it.each(roles)('offers %s what the role may see', (role) => {
  const offered = new Set(placesFor({ role }, within).map(({ screen }) => screen as string));
  for (const { name, needs } of screens.filter((screen) => places.some((place) => place.screen === screen.name))) {
    const maySee = needs === 'signedIn' || (needs !== 'operator' && needs !== 'anyone' && isAtLeast(role, needs));
    expect([name, offered.has(name)]).toEqual([name, maySee]);
  }
});

it('offers nothing of a project or team that there is not', () => {
  const hrefs = placesFor(owner, { project: undefined, team: undefined }).map(({ href }) => href);
  expect(hrefs.filter((href) => /project|team\/(?!new)/.test(href))).toEqual([]);
  expect(hrefs).toContain('/account?show=sign-in');
});
