/** Addresses of the screens. English in every language. */
export const overviewOf = (project: string | number): string => `/project/${project}/overview`;
export const ingestionOf = (project: string | number): string => `/project/${project}/ingestion`;
export const eventsOf = (project: string | number): string => `/project/${project}/events`;
export const definitionsOf = (project: string | number): string => `${eventsOf(project)}/definitions`;
export const exportsOf = (project: string | number): string => `${eventsOf(project)}/exports`;
export const peopleOf = (project: string | number): string => `/project/${project}/persons`;
export const personOf = (project: string | number, person: string): string => `${peopleOf(project)}/${person}`;
export const privacyOf = (project: string | number): string => `/project/${project}/privacy`;
export const liveOf = (project: string | number): string => `/project/${project}/live`;
export const goalsOf = (project: string | number): string => `/project/${project}/goals`;
export const settingsOf = (project: string | number): string => `/project/${project}/settings`;
export const installOf = (project: string | number): string => `/project/${project}/install`;
