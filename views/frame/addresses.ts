/** Addresses of the screens. English in every language. */
export const overviewOf = (project: string | number): string => `/project/${project}/overview`;
export const ingestionOf = (project: string | number): string => `/project/${project}/ingestion`;
export const eventsOf = (project: string | number): string => `/project/${project}/events`;
export const liveOf = (project: string | number): string => `/project/${project}/live`;
export const settingsOf = (project: string | number): string => `/project/${project}/settings`;
export const installOf = (project: string | number): string => `/project/${project}/install`;
