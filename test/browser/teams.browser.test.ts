/** A colleague is invited by a copied link, comes in by phone, sees what their role may see, and nothing any more once they are removed. */
import { useBrowser, watch } from '#test/kit/chromium.ts';
import { useDatabase } from '#test/kit/database.ts';
import { OWNER } from '#test/kit/sign-in.ts';
import { runLuneta } from './luneta.ts';
import { expectSound, inBothThemes, looks } from './sound.ts';

const database = useDatabase({ between: 'nothing' });
const luneta = runLuneta(database);
const browser = useBrowser(luneta);
const phone = { locale: 'pt-BR', viewport: { width: 390, height: 844 } };
const email = 'joana.com.um.nome.comprido@cooperativa-da-serra.example';

let team = 0;
let project = 0;

beforeAll(async () => {
  const [row] = await database.query<{ id: number; team_id: number }>(
    'select id, team_id from projects where not built_in',
  );
  team = row?.team_id ?? 0;
  project = row?.id ?? 0;
});

type Page = Awaited<ReturnType<typeof browser.newPage>>['page'];

async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env['SHOTS'];
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

it('invites, lets in, limits by role, and ends access within 30 seconds', async () => {
  const { page: owner, complaints } = await browser.keptPage({ locale: 'en' });
  await owner.goto(`${luneta.url}/team/${team}/members`);
  await owner.getByText('Email isn’t set up').waitFor();
  await owner.getByRole('button', { name: 'Invite' }).click();
  const dialog = owner.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Email' }).fill('joana');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await dialog.getByText('Invalid email address').waitFor();
  await shot(owner, 'invite-error');
  await dialog.getByRole('textbox', { name: 'Email' }).fill(email);
  await dialog.getByRole('combobox', { name: 'Role' }).selectOption('viewer');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const field = dialog.getByRole('textbox', { name: `Link for ${email}` });
  await field.waitFor();
  await shot(owner, 'invite-link');
  const link = await field.inputValue();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await owner.getByRole('heading', { name: /^Pending invitations/ }).waitFor();

  // Another signed-in person signs out there, and the invitation is still shown.
  const elsewhere = await browser.newContext({ locale: 'en' });
  await elsewhere.clearCookies();
  const { email: own, password } = OWNER;
  const entered = await elsewhere.request.post(`${luneta.url}/api/sign-in/password`, {
    data: { email: own, password },
    headers: { origin: luneta.url },
  });
  expect(entered.status()).toBe(200);
  const { page: other, complaints: others } = watch(await elsewhere.newPage());
  await other.goto(link);
  await other.getByRole('heading', { name: 'Invitation for another account' }).waitFor();
  await other.getByText(`you’re signed in as ${own}`).waitFor();
  await shot(other, 'invitation-of-somebody-else');
  await expectSound(other);
  await other.getByRole('button', { name: 'Sign out' }).click();
  await other.getByText('Marina Duarte invited you to').waitFor();
  expect([other.url(), others]).toEqual([link, []]);

  const context = await browser.newContext(phone);
  await context.clearCookies();
  const { page: joana, complaints: hers } = watch(await context.newPage());
  await joana.goto(link);
  await joana.getByText('Marina Duarte convidou você para').waitFor();
  await shot(joana, 'invitation');
  await expectSound(joana);
  await joana.getByRole('textbox', { name: 'Seu nome' }).fill('Joana Prado');
  await joana.getByLabel('Senha').fill('nove xícaras de café');
  await joana.getByRole('button', { name: 'Criar conta e entrar na equipe' }).click();
  await joana.getByRole('link', { name: 'Membros' }).first().waitFor();
  const [row] = await database.query<{ token: string }>('select token from project_tokens where project_id = $1', [
    project,
  ]);
  const sent = await fetch(`${luneta.url}/ingest/e/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: row?.token, event: 'order', distinct_id: 'somebody', properties: {} }),
  });
  expect(sent.status).toBe(200);
  await joana.goto(`${luneta.url}/project/${project}/overview`);
  await joana.locator('main').waitFor();
  expect(await joana.getByRole('link', { name: 'Tempo real' }).count()).toBe(0);
  // How many are here is all that she sees of Live, and it says how it is counted.
  await joana.getByRole('link', { name: /online agora/ }).click();
  const present = joana.getByRole('region', { name: 'Pessoas online', exact: true });
  await present.getByText('nos últimos 5 minutos').waitFor();
  await shot(joana, 'viewer-now');
  await expectSound(joana);
  const statements = await present.locator('pre').allTextContents();
  expect(statements).toHaveLength(1);
  const [counted] = await database.query<{ people: string }>(statements[0] ?? '');
  expect(counted?.people).toBe('1');
  await joana.getByRole('dialog', { name: 'Pessoas online' }).getByRole('link', { name: 'Fechar' }).click();
  await present.waitFor({ state: 'detached' });
  await joana.getByRole('button', { name: 'Busca' }).click();
  const palette = joana.getByRole('dialog');
  await palette.getByRole('option', { name: 'Membros' }).waitFor();
  const offered = await palette.getByRole('group', { name: 'Ir para' }).getByRole('option').allTextContents();
  expect(offered.map((each) => each.replace(/G .$/, ''))).toEqual([
    'Visão geral',
    'Painéis',
    'Alertas',
    'Relatórios por e-mail',
    'Insights',
    'Novo insight',
    'Metas',
    'Replays',
    'Mapas de calor',
    'Feature flags',
    'Acesso antecipado',
    'Experimentos',
    'Membros',
    'Configurações da equipe',
    'Chaves de API',
    'Sua conta',
    'Login e segurança',
    'Sessões',
    'Todos os projetos',
    'Nova equipe',
  ]);
  await joana.keyboard.press('Escape');
  const operators = await joana.goto(`${luneta.url}/status`);
  expect(operators?.status()).toBe(403);
  await joana.getByText('Só o administrador deste servidor tem acesso.').waitFor();
  const refused = await joana.goto(`${luneta.url}/project/${project}/live`);
  expect(refused?.status()).toBe(403);
  await joana.getByText('Leitores não veem pessoas').waitFor();
  await joana.getByText('Fale com Marina Duarte.').waitFor();
  await shot(joana, 'forbidden');

  await owner.reload();
  await owner.getByRole('button', { name: 'Viewer Role of Joana Prado' }).click();
  await shot(owner, 'role-menu');
  await owner.getByRole('button', { name: /^Member All data/ }).click();
  await owner.getByRole('button', { name: 'Member Role of Joana Prado' }).waitFor();
  await joana.goto(`${luneta.url}/project/${project}/live`);
  await joana.getByRole('heading', { name: 'Tempo real' }).waitFor();
  // Another screen of hers is open too, one without a stream.
  const overview = await context.newPage();
  await overview.clock.install();
  await overview.goto(`${luneta.url}/project/${project}/overview`);
  await overview.getByRole('heading', { name: 'Visão geral' }).waitFor();
  await joana.bringToFront();

  await owner.getByRole('button', { name: 'Actions for Joana Prado' }).click();
  await owner.getByRole('button', { name: 'Remove from team…' }).click();
  await owner
    .getByRole('dialog', { name: 'Remove Joana Prado from the team?' })
    .getByRole('button', { name: 'Remove' })
    .click();
  await joana.getByRole('heading', { name: 'Tempo real' }).waitFor({ state: 'detached' });
  await overview.bringToFront();
  await overview.clock.fastForward(30_000);
  await overview.getByRole('heading', { name: 'Visão geral' }).waitFor({ state: 'detached' });
  const gone = await joana.goto(`${luneta.url}/project/${project}/overview`);
  expect(gone?.status()).toBe(404);
  expect(complaints.concat(hers).filter((each) => !/40[134]/.test(each))).toEqual([]);
});

it('keeps the last owner, and says why', async () => {
  const { page } = await browser.keptPage({ locale: 'en' });
  await page.goto(`${luneta.url}/team/${team}/settings`);
  await page.getByRole('button', { name: 'Leave team…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
  await page.getByText('A team needs at least one owner.').waitFor();
  await shot(page, 'last-owner');
});

it('makes a team, and lets it wait for its end until it is kept', async () => {
  const { page } = await browser.newPage(phone);
  await page.goto(`${luneta.url}/team/new`);
  await page.getByRole('textbox', { name: 'Nome da equipe' }).fill('Torra & Cia');
  await page.getByRole('button', { name: 'Criar equipe' }).click();
  await page.getByRole('heading', { name: 'Membros Torra & Cia' }).waitFor();
  await page.getByRole('link', { name: 'Equipe', exact: true }).click();
  await page.getByRole('button', { name: 'Excluir equipe…' }).click();
  await page.getByRole('textbox', { name: 'Digite Torra & Cia para confirmar' }).fill('Torra');
  await page.getByRole('button', { name: 'Excluir em 7 dias' }).click();
  await page.getByText('O nome não confere').waitFor();
  await page.getByRole('textbox', { name: 'Digite Torra & Cia para confirmar' }).fill('Torra & Cia');
  await page.getByRole('button', { name: 'Excluir em 7 dias' }).click();
  await page.getByText('Exclusão da equipe agendada para').waitFor();
  await shot(page, 'team-waits');
  await expectSound(page);
  await page.getByRole('button', { name: 'Cancelar exclusão' }).click();
  await page.getByRole('button', { name: 'Excluir equipe…' }).waitFor();
  await page.getByRole('link', { name: 'Atividade' }).click();
  await page.getByText('cancelou a exclusão da equipe').waitFor();
});

describe('can be read by everybody', () => {
  beforeAll(async () => {
    await database.query(
      `insert into users (uuid, email, email_key, name, language, time_zone, created_at, last_active_at, password_hash)
       select gen_random_uuid(), address, address, name, 'en', 'UTC', now(), seen, 'x'
         from (values ('rafael@serrana.example', 'Rafael Tavares', now() - interval '2 hours'),
                      ('clara@serrana.example', 'Clara Bittencourt de Albuquerque e Souza', null)) as people (address, name, seen)`,
    );
    await database.query(
      `insert into members (team_id, user_id, role, joined_at)
       select $1, id, case name when 'Rafael Tavares' then 'admin' else 'viewer' end, now() from users where password_hash = 'x'`,
      [team],
    );
    await database.query(
      `insert into invitations (team_id, email, role, hash, invited_by, expires_at, created_at)
       values ($1, 'edu@agencia.example', 'member', '\\x01', 1, now() + interval '7 days', now())`,
      [team],
    );
  });

  it.each(looks)('$locale', async (look) => {
    const { page, complaints } = await browser.keptPage({ locale: look.locale });
    for (const screen of ['members', 'settings', 'activity']) {
      await page.goto(`${luneta.url}/team/${team}/${screen}`);
      await page.locator('main').waitFor();
      await page.waitForLoadState('networkidle');
      await inBothThemes(page, look, async (name) => {
        await shot(page, `${screen}-${look.locale}-${name}`);
        await expectSound(page, `${screen}, ${name}`);
      });
    }
    expect(complaints).toEqual([]);
  });
});
