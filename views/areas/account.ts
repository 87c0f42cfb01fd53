/** Accounts, teams, and what belongs to them. */

export * as keys from '#views/screens/accounts/Keys.tsx';
export * as account from '../screens/accounts/Account.tsx';
export * as activity from '../screens/teams/Activity.tsx';
export * as members from '../screens/teams/Members.tsx';
export * as newTeam from '../screens/teams/NewTeam.tsx';
export * as publicLinks from '../screens/teams/PublicLinks.tsx';
export * as teamSettings from '../screens/teams/TeamSettings.tsx';
