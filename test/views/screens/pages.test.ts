/** The screens as the server sends them: everything a reader needs is in the first answer, and nothing captured is markup. */
import request from 'supertest';
import { fixedClock } from '#src/kit/clock.ts';
import { projectSettings } from '#src/projects/contract.ts';
import { projectsOf, type TestApp, testApp, testProject } from '#test/kit/app.ts';
import {
  SAMPLE_TIME,
  sampleIngestion,
  sampleProject,
  sampleRelay,
  sampleRouter,
  sampleShop,
} from '#test/kit/sample-answers.ts';

const shop = sampleShop();
let luneta: TestApp;

beforeAll(() => {
  luneta = testApp({
    router: sampleRouter(shop),
    ownToken: () => null,
    deps: { clock: fixedClock(SAMPLE_TIME) },
    rooms: {
      projects: projectsOf([
        testProject({ id: 1, name: 'Luneta', tokens: ['lnt_own'] }),
        ...Array.from({ length: 24 }, (_, index) => testProject({ id: index + 2, tokens: [] })),
      ]),
    },
  });
});
afterAll(() => luneta.close());

async function pageOf(path: string, language = 'en'): Promise<string> {
  const { status, text } = await request(luneta.app).get(path).set('Accept-Language', language);
  expect(status).toBe(200);
  return text;
}

/** Text as a reader sees it: no scripts, no markup, plain spaces. */
function textOf(html: string): string {
  return (
    html
      .replace(/<script[^>]*>.*?<\/script>/gs, '')
      // The two halves of a long path are one word.
      .replace(/<\/span><span>/g, '')
      .replace(/<[^>]*>/g, ' ')
      .replaceAll('&#x27;', "'")
      .replace(/&nbsp;|\u00a0/g, ' ')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
      .replace(/\s+/g, ' ')
  );
}

const everyScreen = [
  '/',
  '/team/1/new-project',
  '/project/2/settings',
  '/project/2/settings?tab=collection',
  '/project/2/settings?tab=privacy',
  '/project/2/overview',
  '/project/2/overview?range=today&compare=none',
  '/project/2/overview?range=this_month&compare=year&metric=visitDuration',
  '/project/2/overview?view=table&range=last_12_months',
  '/project/2/overview?details=page&sort=change',
  '/project/2/overview?details=page&explain=page',
  '/project/2/overview?explain=bounceRate&metric=bounceRate&done=goal',
  '/project/2/overview?explain=hours',
  '/project/2/overview?explain=now',
  '/project/2/live?explain=now',
  '/?explain=numbers',
  '/project/2/settings?explain=numbers',
  '/project/2/goals',
  '/project/1/overview?install=node',
  '/project/2/live',
  '/project/2/ingestion',
  `/project/2/live?event=${SAMPLE_TIME}_019aa1c4-7b52-7e01-9a3f-000000000000`,
];

describe.each(['en', 'pt-BR'])('in %s', (language) => {
  it.each(everyScreen)('%s is whole and carries no style attribute', async (path) => {
    const html = await pageOf(path, language);
    const faults = {
      'a style attribute': / style=/,
      'an inline handler': /<[^>]* on[a-z]+="/,
      'content behind a script': /<div hidden="" id="S:/,
      'an empty class': / class=""/,
      'a failed conversion': /\bNaN\b|undefined|\[object Object\]/,
    };
    const markup = html.replace(/<script[^>]*>.*?<\/script>/gs, '');
    expect(Object.entries(faults).flatMap(([name, pattern]) => (pattern.test(markup) ? [name] : []))).toEqual([]);
    expect(html.includes(`<html lang="${language}"`)).toBe(true);
    expect(html.match(/<h1/g)).toHaveLength(1);
  });
});

describe('Home', () => {
  it('has every project with its numbers in the page, Luneta’s own last', async () => {
    const text = textOf(await pageOf('/'));
    expect(text.indexOf('Café Serrana')).toBeLessThan(text.indexOf('Luneta’s own usage'));
    expect(text).toMatch(/Serrana Members .*New project/);
    expect(text).toMatch(/[\d,]+ visitors today 38 online now/);
  });

  it('says how its numbers are counted', async () => {
    expect(textOf(await pageOf('/'))).toContain('How it’s calculated');
    const text = textOf(await pageOf('/?explain=numbers', 'pt-BR'));
    for (const piece of [
      'Visitantes hoje: pessoas únicas com pelo menos',
      '1 visualização de bots',
      'visitantes por projeto e dia',
    ]) {
      expect(text).toContain(piece);
    }
  });

  it('brings the figures of twenty projects along, and leaves those of the others to the browser', async () => {
    const before = shop.projects;
    shop.projects = Array.from({ length: 25 }, (_, index) => sampleProject(index + 1, `Shop ${index + 1}`, false));
    const html = await pageOf('/');
    shop.projects = before;
    expect(html.match(/href="\/project\/\d+\/overview"/g)).toHaveLength(25);
    expect(textOf(html).match(/visitors today/g)).toHaveLength(20);
  });

  it('says where the numbers are while events are relayed, and shows none', async () => {
    const relaying = testApp({
      router: sampleRouter(shop),
      ownToken: () => null,
      deps: { clock: fixedClock(SAMPLE_TIME), config: { PUBLIC_POSTHOG_HOST: 'https://eu.i.posthog.com' } },
    });
    const text = textOf((await request(relaying.app).get('/').expect(200)).text);
    await relaying.close();
    expect(text).toContain('Events are relayed to eu.i.posthog.com. View metrics there.');
    expect(text).toContain('Café Serrana');
    expect(text).not.toContain('visitors today');
  });

  it('leads to the screens of each project, and draws its week', async () => {
    const html = await pageOf('/', 'pt-BR');
    expect(html).toContain('href="/project/2/overview"');
    expect(html).toContain('href="/team/1/new-project"');
    expect(html.match(/<svg[^>]*viewBox="0 0 640 200"/g)).toHaveLength(2);
    expect(textOf(html)).toContain('visitantes hoje');
  });
});

describe('Settings', () => {
  it('show what is stored, with the tokens and what is accepted besides', async () => {
    const html = await pageOf('/project/2/settings');
    expect(html).toMatch(/<input[^>]*value="Café Serrana"/);
    expect(html).toMatch(/<input[^>]*value="America\/Sao_Paulo"/);
    expect(html).toMatch(/<input[^>]*readOnly=""[^>]*value="lnt_sample2"/);
    const text = textOf(html);
    for (const piece of [
      'lnt_before Previous token, accepted until 21 Nov, 14:32',
      'phc_moved Added manually',
      'Stored on this server 1,284,306 events',
      'Permanently deletes 1,284,306 events and all data about people.',
    ]) {
      expect(text).toContain(piece);
    }
    expect(text).not.toContain('unsaved');
  });

  it('offer a retention that is not among the usual ones', async () => {
    const html = await pageOf('/project/2/settings?tab=privacy', 'pt-BR');
    expect(html).toMatch(/<option value="395" selected="">395 dias<\/option>/);
    expect(html).toContain('>1 ano</option>');
    expect(await pageOf('/project/2/settings?tab=collection')).toContain('https://loja.serrana.example</textarea>');
  });

  it('say where insights run, and how far the copy is', async () => {
    expect(await pageOf('/project/2/settings')).not.toContain('ClickHouse');
    const copy = { at: SAMPLE_TIME, isOn: true, isUsed: true, copiedUntil: SAMPLE_TIME - 4_000, waiting: 12 };
    shop.copy = { ...copy, isMore: false, isFailing: false };
    const used = await pageOf('/project/2/settings');
    expect(used).toMatch(/<input[^>]*name="clickhouse"[^>]*checked=""/);
    expect(textOf(used)).toMatch(
      /Insights run on ClickHouse\. Copied until .*14:32, 4\.0 s behind · 12 events wait to be copied/,
    );
    shop.copy = { ...copy, isOn: false, isUsed: false, copiedUntil: null, isMore: true, isFailing: true };
    const filling = await pageOf('/project/2/settings', 'pt-BR');
    shop.copy = null;
    expect(filling).toMatch(/<input[^>]*disabled=""[^>]*name="clickhouse"/);
    expect(textOf(filling)).toMatch(
      /rodam no PostgreSQL\. Copiando os eventos gravados · No mínimo 12 eventos na fila/,
    );
    expect(textOf(filling)).toContain('A cópia está falhando');
  });

  it.each([
    [{ deletesAt: SAMPLE_TIME }, 'Scheduled for deletion on Fri 20 Nov, 14:32.', 'deletes 1,284,306'],
    [{ builtIn: true }, 'Luneta’s own usage data goes to this project. It can’t be deleted.', 'deletes 1,284,306'],
    [{ settings: projectSettings.parse({ demo: true }) }, 'Remove sample project', 'deletes 1,284,306'],
  ])('say how a project ends: %j', async (changes, said, notSaid) => {
    const before = shop.configuration;
    shop.configuration = { ...before, ...changes };
    const text = textOf(await pageOf('/project/2/settings'));
    shop.configuration = before;
    expect(text).toContain(said);
    expect(text).not.toContain(notSaid);
  });
});

describe('Overview', () => {
  it('has its numbers, chart and tables in the page', async () => {
    const text = textOf(await pageOf('/project/2/overview'));
    for (const piece of [
      'Visitors 31,605 +14.9%',
      'Bounce rate 41.9 % −2.3 pp',
      'Visit duration 2 m 44 s +2.2%',
      '24 Oct – 20 Nov',
      '26 Sep – 23 Oct',
      'Today (in progress)',
      '/produtos/bourbon-amarelo-250g 10,133 5.8%',
      'Direct / none 18,975',
      'BR Brazil 30,463',
      'Mobile 30,463',
      '$pageview 30,463 18,582',
      '146 other pages',
      '1,204 bot views excluded · Include',
      'By day, America/Sao_Paulo (UTC−3) · Data until 14:32. Compared with the previous period until 23 Oct, 14:32.',
      '38 online now',
    ]) {
      expect(text).toContain(piece);
    }
  });

  it('speaks Portuguese', async () => {
    const text = textOf(await pageOf('/project/2/overview', 'pt-BR'));
    for (const piece of [
      'Visão geral',
      'Visitantes 31.605 +14,9%',
      'Taxa de rejeição 41,9 % −2,3 p.p.',
      '24 out – 20 nov',
    ]) {
      expect(text).toContain(piece);
    }
  });

  it('says how a number is counted, what is left out, and what other rules give', async () => {
    const text = textOf(
      await pageOf('/project/2/overview?explain=bounceRate&metric=bounceRate&filter=country:equals:BR'),
    );
    for (const piece of [
      'Excluded 1,204 views from bots 12 views from internal traffic 40 views not matching your filters',
      'no custom event, regardless of duration: 52.1%.',
      'key event (here: any goal): 38.4%.',
      'select count(*) as value from events;',
      'Comparison period',
    ]) {
      expect(text).toContain(piece);
    }
    expect(text).not.toContain('OpenPanel');
    expect(textOf(await pageOf('/project/2/overview?explain=views&metric=views&compare=none'))).toContain(
      'View events',
    );
    const inFull = textOf(await pageOf('/project/2/overview?details=page&explain=page', 'pt-BR'));
    expect(inFull).toContain('Taxa de saída: visitas que terminaram nesta página');
    expect(textOf(await pageOf('/project/2/overview?explain=goal&done=goal'))).toContain(
      'Conversions of each goal in the period.',
    );
    const byVisit = textOf(await pageOf('/project/2/overview?explain=goal&done=goal&per=visit'));
    expect(byVisit).toContain('Goal Conversions Rate (visits)');
    expect(byVisit).toContain('visits that started in the period and include a conversion');
    expect(textOf(await pageOf('/project/2/live?explain=now', 'pt-BR'))).toContain('às 14:32:08');
  });

  it('draws the tables that the address chooses, and no others', async () => {
    const text = textOf(
      await pageOf('/project/2/overview?pages=outbound&sources=referringDomain&places=language&tech=viewportWidth'),
    );
    for (const piece of [
      'Pages Entry pages Exit pages Outbound links Outbound links Link Clicks Share wa.me/5511999990000 30,463',
      'Direct / none 18,975',
      '61 other domains',
      'pt-BR Brazilian Portuguese 30,463',
      'Under 576 px 30,463',
    ]) {
      expect(text).toContain(piece);
    }
    expect(text).not.toContain('/checkout');
    expect(text).not.toContain('Organic Search');
  });

  it('closes the table of campaigns with the visits that came by none, and offers all five parameters', async () => {
    const text = textOf(await pageOf('/project/2/overview?sources=utmMedium'));
    expect(text).toContain(
      'Sources Channels Referrers Campaigns UTM campaign UTM source UTM medium UTM term UTM content UTM mediums UTM medium Visits Share email 18,975',
    );
    expect(text).toMatch(/cpc 10,133 [\d.]+% \(none\) 30,463/);
  });

  it('makes each row a filter, or takes it away', async () => {
    const html = await pageOf('/project/2/overview?filter=country:equals:BR');
    const row = (name: string) => new RegExp(`<a[^>]*>(?:(?!</a>).)*${name}(?:(?!</a>).)*</a>`).exec(html)?.[0] ?? '';
    expect(row('Brazil')).toContain('aria-pressed="true"');
    expect(row('Brazil')).toContain('href="/project/2/overview"');
    expect(row('Portugal')).toContain('aria-pressed="false"');
    expect(row('Portugal')).toContain('href="/project/2/overview?filter=country:equals:BR%7CPT"');
    expect(row('/produtos<')).toContain('filter=country:equals:BR&amp;filter=page:equals:/produtos"');
    expect(row('Instagram')).toContain('filter=source:equals:Instagram"');
    expect(row('pedido_concluido')).toContain(
      'href="/project/2/events?name=pedido_concluido&amp;filter=country:equals:BR"',
    );
    expect(row('pedido_concluido')).not.toContain('aria-pressed');
  });

  it('leads to the clicks on a link to another site, unless filters are joined by OR', async () => {
    const row = async (search: string) =>
      /<a[^>]*>(?:(?!<\/a>).)*wa\.me(?:(?!<\/a>).)*<\/a>/.exec(
        await pageOf(`/project/2/overview?pages=outbound${search}`),
      )?.[0];
    expect(await row('&filter=country:equals:BR')).toContain(
      'href="/project/2/events?name=$autocapture&amp;filter=country:equals:BR&amp;filter=$external_click_url:equals:https://wa.me/5511999990000"',
    );
    expect(await row('&filter=country:equals:BR&match=any')).toBeUndefined();
  });

  it('draws the chart on the server: two lines, a dashed end, a tick for each day', async () => {
    const html = await pageOf('/project/2/overview');
    const lines = [...html.matchAll(/<path class="(\w*)" d="(M[^"]+)"/g)].map(([, name, d = '']) => [name, d]);
    expect(lines.find(([name]) => name === 'before')?.[1]?.match(/[ML]/g)).toHaveLength(28);
    expect(lines.find(([name]) => name === 'running')?.[1]?.match(/[ML]/g)).toHaveLength(2);
    expect(html.match(/v[469]M/g)?.length).toBe(27);
  });

  it('keeps every choice in its links', async () => {
    const html = await pageOf('/project/2/overview?range=last_7_days&compare=year&metric=views');
    expect(html).toContain('href="/project/2/overview?range=last_90_days&amp;compare=year&amp;metric=views"');
    expect(html).toContain('href="/project/2/overview?range=last_7_days&amp;compare=year&amp;metric=bounceRate"');
    expect(html).toContain(
      'href="/project/2/overview?from=2026-11-07&amp;to=2026-11-13&amp;compare=year&amp;metric=views"',
    );
    expect(html).toContain(
      'href="/project/2/overview?range=last_7_days&amp;compare=year&amp;metric=views&amp;details=page"',
    );
  });

  it('shows how to install, filled in, until something has come', async () => {
    const text = textOf(await pageOf('/project/1/overview'));
    expect(text).toContain("posthog.init( 'lnt_7Qd2vXk9' , {");
    expect(text).toContain("api_host: 'https://analytics.serrana.example/ingest'");
    expect(text).toContain('Waiting for the first event');
    expect(text).toContain('Visitors 31,605');
    expect(textOf(await pageOf('/project/2/overview'))).not.toContain('Waiting for the first event');
  });

  it('shows every row of a table in full', async () => {
    const html = await pageOf('/project/2/overview?details=page');
    expect(html.match(/<th scope="row"/g)).toHaveLength(154);
    expect(textOf(html)).toContain('Overview / Pages');
  });

  it('says that a project is not there', async () => {
    shop.projects = [sampleProject(1, 'Luneta', true)];
    expect(textOf(await pageOf('/project/2/overview'))).toContain('Page not found');
    shop.projects = [sampleProject(1, 'Luneta', true), sampleProject(2, 'Café Serrana', false)];
  });
});

describe('Live', () => {
  it('has its rows and figures in the page', async () => {
    const text = textOf(await pageOf('/project/2/live'));
    for (const piece of [
      '38 people online (last 5 min)',
      '46 events/min',
      '0.4 s delivery delay (median)',
      '14:32:08 $pageview /produtos/bourbon-amarelo-250g HP Helena Prado Brazil',
      'Anonymous 0502',
      'Live updates need JavaScript. Reload the page for newer events.',
    ]) {
      expect(text).toContain(piece);
    }
  });

  it('shows captured text as text, and makes links only of web addresses', async () => {
    const html = await pageOf(`/project/2/live?event=${SAMPLE_TIME}_019aa1c4-7b52-7e01-9a3f-000000000000`);
    const markup = html.replace(/<script[^>]*>.*?<\/script>/gs, '');
    expect(markup).toContain('&lt;b&gt;moedor&lt;/b&gt;');
    expect(markup).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(markup).not.toContain('<img');
    expect(markup).not.toMatch(/href="javascript:/i);
    const links = [...markup.matchAll(/<a [^>]*href="https?:[^>]*>/g)].map(([link]) => link);
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) expect(link).toContain('rel="noopener noreferrer"');
  });

  it('keeps what people captured out of its own measuring', async () => {
    for (const path of ['/project/2/live', '/project/2/overview', '/project/2/overview?details=page']) {
      const html = await pageOf(path);
      const [before = ''] = html.split('ph-no-capture');
      expect(before).not.toContain('Helena Prado');
      expect(html).toMatch(/<div class="ph-no-capture">/);
    }
  });
});

describe('Ingestion', () => {
  const path = '/project/2/ingestion';
  afterEach(() => Object.assign(shop, { ingestion: sampleIngestion(), relay: sampleRelay('store') }));

  it('says what arrived, what became of it, warnings and dropped events and what works by itself', async () => {
    const text = textOf(await pageOf(path));
    for (const piece of [
      'Stored (last hour)',
      '4 ms · 31 ms',
      'is committed to PostgreSQL',
      'Duplicate (stored once) 9',
      'Create event partitions OK Hourly 13:32',
      'Failed 4 times in a row',
    ]) {
      expect(text).toContain(piece);
    }
    expect(text).not.toContain('PostgreSQL is unavailable.');
    expect(text).not.toContain('Upstream');
  });

  it('shows refused requests by minute, of all projects, with access', async () => {
    const text = textOf(await pageOf(path));
    for (const piece of [
      'Rejected requests All projects, last hour',
      'Database unavailable, not buffered; clients retry (503) 2,040 14:18',
      'Unknown project token (401) 15 14:31',
      'By minute Minute Reason Count',
      'Request too large (413) 1',
    ]) {
      expect(text).toContain(piece);
    }
    expect(textOf(await pageOf(path, 'pt-BR'))).toContain('Requisições recusadas Todos os projetos, última hora');
    shop.ingestion = sampleIngestion({ refused: [] });
    expect(textOf(await pageOf(path))).toContain('No rejected requests in the last hour');
    shop.ingestion = sampleIngestion({ refused: null });
    expect(textOf(await pageOf(path))).not.toContain('Rejected requests');
  });

  it.each([
    ['en', 'Last error', 'Connection refused. Nothing is listening at this address.'],
    ['pt-BR', 'Último erro', 'Conexão recusada: nenhum serviço nesse endereço.'],
  ])('says in words what was wrong with the upstream, and what exactly was said: %s', async (language, name, words) => {
    Object.assign(shop, { relay: sampleRelay('mirror') });
    const html = await pageOf(path, language);
    expect(textOf(html)).toMatch(new RegExp(`${name} [^·]+ · ${words} Upstream unreachable \\(ECONNREFUSED`));
    // It is English in both.
    expect(html).toContain('<span lang="en">Upstream unreachable (ECONNREFUSED).</span>');
    Object.assign(shop.relay, { lastProblem: { at: SAMPLE_TIME, message: 'It hangs.', kind: null, status: null } });
    expect(textOf(await pageOf(path, language))).toContain(' · It hangs. ');
  });

  it.each([
    [
      61_000,
      'Oldest queued request: 1 min ago. The upstream may timestamp',
      'chegou há 1 min. O destino pode registrar',
    ],
    [60_000, null, null],
  ])('says that what waits for long may be dated wrong there: %d ms', async (ms, english, portuguese) => {
    const relay = sampleRelay('mirror');
    Object.assign(relay.queue as object, { oldestAt: SAMPLE_TIME - ms });
    shop.relay = relay;
    const [en, pt] = [textOf(await pageOf(path)), textOf(await pageOf(path, 'pt-BR'))];
    expect([en.includes('Oldest queued request'), pt.includes('mais antiga na fila')]).toEqual(
      english === null ? [false, false] : [true, true],
    );
    expect(en).toContain(english ?? '');
    expect(pt).toContain(portuguese ?? '');
  });

  it('shows captured text as text, and keeps it out of its own measuring', async () => {
    const markup = (await pageOf(path)).replace(/<script[^>]*>.*?<\/script>/gs, '');
    expect(markup).toContain('&lt;b&gt;helena&lt;/b&gt;');
    expect(markup).toContain('&lt;i&gt;timeout&lt;/i&gt;');
    expect(markup.split('ph-no-capture')[0]).not.toContain('helena');
  });

  it.each(['durable', 'rescue', 'none'] as const)(
    'says what a 200 promises while PostgreSQL is away: %s',
    async (guarantee) => {
      const spool = guarantee === 'none' ? null : { events: 5_120, bytes: 2_000_000, oldestAt: SAMPLE_TIME - 60_000 };
      shop.ingestion = sampleIngestion({ isStoring: false, guarantee, spool, latencyMs: null });
      const text = textOf(await pageOf(path));
      expect(text).toContain('PostgreSQL is unavailable.');
      expect(text.includes('5,120 Buffered on disk')).toBe(spool !== null);
      expect(textOf(await pageOf(path, 'pt-BR'))).toContain('O PostgreSQL não está respondendo.');
      for (const screen of ['overview', 'live', 'ingestion']) {
        const said = textOf(await pageOf(path.replace('ingestion', screen)));
        expect([screen, said.includes('5,120 events are waiting to be stored.')]).toEqual([screen, spool !== null]);
      }
      shop.ingestion = sampleIngestion({ isStoring: false, isSlow: true, guarantee, spool, latencyMs: null });
      const slow = textOf(await pageOf(path));
      expect(slow).toContain('PostgreSQL is too slow to store events right now.');
      expect(slow).not.toContain('PostgreSQL is unavailable.');
    },
  );

  it.each(['relay', 'mirror'] as const)('says where events go, and that they leave the country: %s', async (mode) => {
    shop.relay = sampleRelay(mode);
    if (mode === 'relay') shop.ingestion = null;
    const text = textOf(await pageOf(path));
    expect(text).toContain(`${mode === 'relay' ? 'relayed' : 'forwarded'} to us.i.posthog.com`);
    expect(text).toContain('LGPD');
    expect(text.includes('Delivery guarantee')).toBe(mode === 'mirror');
    expect(textOf(await pageOf(path, 'pt-BR'))).toContain('encaminhados para us.i.posthog.com');
  });

  it('is whole when nothing has come', async () => {
    shop.ingestion = sampleIngestion({ minutes: [], problems: [], latencyMs: null });
    const text = textOf(await pageOf(path));
    expect(text).toContain('No events in the last hour');
    expect(text).toContain('No warnings in the last 24 hours');
  });
});
