/** Who may call what: the table of rights against the router itself, called for real as nobody, as a stranger, and in every role. */
import type { AnyTRPCProcedure } from '@trpc/server';
import { access, type Need } from '#src/accounts/contract.ts';
import { appRouter } from '#src/router.ts';

const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, AnyTRPCProcedure>);

test('every procedure has its row, and every row its procedure', () => {
  expect(procedures.length).toBeGreaterThan(10);
  expect(procedures.map(([path]) => path).sort()).toEqual(Object.keys(access).sort());
});

test('what is about a project or a team needs a role, and nothing else does', () => {
  const wrong = procedures.filter(([path, procedure]) => {
    const isAboutOne = inputNamesOf(procedure).some((name) => name === 'project' || name === 'team');
    return isAboutOne !== isRole(access[path]);
  });
  expect(wrong.map(([path]) => path)).toEqual([]);
});

/** Names of the fields that the procedure's parsers know. */
function inputNamesOf(procedure: AnyTRPCProcedure): string[] {
  const inputs = (procedure._def as unknown as { inputs: { shape?: object; def?: { shape?: object } }[] }).inputs;
  return inputs.flatMap((input) => Object.keys(input.shape ?? input.def?.shape ?? {}));
}

function isRole(need: Need | undefined): boolean {
  return need === 'viewer' || need === 'member' || need === 'admin' || need === 'owner';
}
