/** Personal keys in the logs of teams. */
import { useDatabase } from '#test/kit/database.ts';
import { callsOf } from '#test/kit/people.ts';
import { useWholeApp } from '#test/kit/whole-app.ts';

const database = useDatabase({ between: 'nothing' });
const whole = useWholeApp(database);

it('stand in the log of each team that they read from, and in no other', async () => {
  const calls = callsOf(whole);
  const other = (await calls.mutation(whole.owner, 'accounts.teams.create', { name: 'Outra' }).expect(200)).body.result
    .data.json.id as number;
  const noted = async () => {
    const rows = await database.query<{ team_id: number }>(
      "delete from audit where action like 'key.%' returning team_id",
    );
    return rows.map(({ team_id }) => team_id).sort((a, b) => a - b);
  };
  for (const [projects, teams] of [
    [[whole.project], [whole.team]],
    [null, [whole.team, other]],
  ]) {
    const input = { name: 'Planilha', scopes: ['query:read'], projects, days: 'month' };
    const made = await calls.mutation(whole.owner, 'projects.apiKeys.create', input).expect(200);
    expect(await noted()).toEqual(teams);
    const { id } = made.body.result.data.json;
    await calls.mutation(whole.owner, 'projects.apiKeys.revoke', { id }).expect(200);
    expect(await noted()).toEqual(teams);
  }
});
