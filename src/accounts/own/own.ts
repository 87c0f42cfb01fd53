/** The signed-in person's account: what the rest of the room uses of it. */

import type { Limits } from '#src/limits/limits.ts';
import type { Mail } from '#src/mail/mail.ts';
import type { Projects } from '#src/projects/projects.ts';
import type { Deps } from '#src/store/deps.ts';
import type { Secrets } from '#src/store/secrets.ts';
import type { Audit } from '../audit.ts';
import type { Links } from '../links.ts';
import { createPasskeys, type Passkeys } from './passkeys.ts';
import { createProfile, type Profile } from './profile.ts';
import { createSecondStep, type SecondStep } from './second-step.ts';
import { createSignIns, type SignIns } from './sessions.ts';

export interface OwnAccounts {
  profile: Profile;
  secondStep: SecondStep;
  passkeys: Passkeys;
  /** Active sessions of people. */
  sessions: SignIns;
}

export interface OwnParts {
  projects: Projects;
  secrets: Secrets;
  limits: Limits;
  mail: Mail;
  audit: Audit;
  links: Links;
}

export function createOwn(deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log'>, parts: OwnParts): OwnAccounts {
  const passkeys = createPasskeys(deps, parts);
  const sessions = createSignIns(deps, parts.audit);
  return {
    profile: createProfile(deps, { ...parts, signIns: sessions, passkeys }),
    secondStep: createSecondStep(deps, parts),
    passkeys,
    sessions,
  };
}
