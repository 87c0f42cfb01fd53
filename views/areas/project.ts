/** Projects and their settings. */
export * as privacy from '../screens/privacy/Privacy.tsx';
export * as home from '../screens/projects/Home.tsx';
export * as newProject from '../screens/projects/NewProject.tsx';
export * as settings from '../screens/projects/ProjectSettings.tsx';
