/**
 * Which address shows which screen. One row per screen; each screen is a chunk of its own. The server reads the
 * same list to decide status and redirects before the first byte.
 */
import type { Route } from './routing.ts';

export const routes: readonly Route[] = [
  {
    name: 'home',
    path: '/',
    needs: 'signedIn',
    frame: 'none',
    showsEvents: false,
    file: 'views/screens/projects/Home.tsx',
    load: () => import('./screens/projects/Home.tsx'),
  },
  {
    name: 'set-up',
    path: '/setup',
    needs: 'anyone',
    frame: 'none',
    before: 'setUp',
    holdsSecret: true,
    showsEvents: false,
    file: 'views/screens/accounts/SetUp.tsx',
    load: () => import('./screens/accounts/SetUp.tsx'),
  },
  {
    name: 'sign-in',
    path: '/sign-in',
    needs: 'anyone',
    frame: 'none',
    before: 'signIn',
    showsEvents: false,
    file: 'views/screens/accounts/SignIn.tsx',
    load: () => import('./screens/accounts/SignIn.tsx'),
  },
  {
    name: 'overview',
    path: '/project/:project/overview',
    needs: 'viewer',
    frame: 'project',
    showsEvents: true,
    file: 'views/screens/insights/Overview.tsx',
    load: () => import('./screens/insights/Overview.tsx'),
  },
  {
    name: 'install',
    path: '/project/:project/install',
    needs: 'member',
    frame: 'none',
    showsEvents: true,
    file: 'views/screens/insights/Install.tsx',
    load: () => import('./screens/insights/Install.tsx'),
  },
  {
    name: 'live',
    path: '/project/:project/live',
    needs: 'member',
    frame: 'project',
    showsEvents: true,
    file: 'views/screens/events/Live.tsx',
    load: () => import('./screens/events/Live.tsx'),
  },
  {
    name: 'ingestion',
    path: '/project/:project/ingestion',
    needs: 'member',
    frame: 'project',
    showsEvents: false,
    file: 'views/screens/collect/Ingestion.tsx',
    load: () => import('./screens/collect/Ingestion.tsx'),
  },
  {
    name: 'mail',
    path: '/team/:team/mail',
    needs: 'admin',
    frame: 'none',
    showsEvents: false,
    file: 'views/screens/mail/Mail.tsx',
    load: () => import('./screens/mail/Mail.tsx'),
  },
];
