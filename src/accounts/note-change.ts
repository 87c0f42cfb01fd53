/** Notes in the team's log who changed what the whole team sees. */
import type { Project } from '#src/projects/projects.ts';
import type { Queryable } from '#src/store/sql.ts';
import type { Accounts } from './accounts.ts';
import type { Reader } from './contract.ts';
import type { AuditAction } from './teams/values.ts';

/** Run in the transaction of the change. @param name of what changed; of something that is renamed, the new one */
export type NoteChange = (on: Queryable, name: string) => Promise<void>;

/** The author of a change, and its project. */
export interface Caller {
  accounts: Pick<Accounts, 'audit'>;
  reader: Pick<Reader, 'id' | 'name' | 'email'>;
  project: Pick<Project, 'id' | 'teamId'>;
  client: { address: string | null };
}

export function noting({ accounts, reader, project, client }: Caller, action: AuditAction): NoteChange {
  return (on, name) =>
    accounts.audit.note(on, {
      actor: reader,
      action,
      details: { name },
      address: client.address,
      teamId: project.teamId,
      projectId: project.id,
    });
}
