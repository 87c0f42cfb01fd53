/**
 * Boot values of every page: public settings (read at request time, so that one build serves every
 * environment), language, theme and time of rendering. Secrets cannot leak: only the names below are sent, and
 * reading any other setting in the browser is an explicit error.
 */
import { createEnv } from '@t3-oss/env-core';
import { createContext, useContext } from 'react';
import type { Language } from './words/en.ts';

export type Theme = 'light' | 'dark';

/** Values of the settings that pages receive; absent when not set. */
export interface PublicValues {
  PUBLIC_APP_URL: string;
  PUBLIC_POSTHOG_KEY?: string | undefined;
  PUBLIC_POSTHOG_HOST?: string | undefined;
  PUBLIC_SUPABASE_URL?: string | undefined;
  PUBLIC_SUPABASE_ANON_KEY?: string | undefined;
  PUBLIC_TAG_MANAGER_ID?: string | undefined;
  PUBLIC_TAG_MANAGER_SRC?: string | undefined;
}

/** Everything the first render needs besides the data: equal on both sides, or hydration would not match. */
export interface Boot {
  settings: PublicValues;
  /** Token of the project that Luneta's own screens report to; null: they do not report. */
  token: string | null;
  /** The signed-in user's id for our own analytics; null: not signed in, or unknown (`/_app`). */
  reader: string | null;
  /** False while `/ingest` is relayed to an upstream, which lacks our own additions. */
  collects: boolean;
  language: Language;
  /** Null: as the system. */
  theme: Theme | null;
  /** The project that was looked at last, as its address has it; null: none yet. */
  lastProject: string | null;
  /** Server time of this page, ms. Renders use it instead of the browser's clock until they are hydrated. */
  now: number;
  /** Style sheets of every page, in order. */
  styles: string[];
  /** Further style sheets of single routes, by route name. */
  routeStyles: Record<string, string[]>;
  /** Style sheets of parts that are loaded later, by the name of their file. */
  partStyles: Record<string, string>;
  /** True for `/_app`, which is kept by the service worker and holds no one's data. */
  shell: boolean;
  /** True while developing: the page reloads itself after a build, and there is no service worker. */
  dev: boolean;
}

/** A schema that lets text through: the server has checked it already, and zod stays out of the browser. */
const passThrough = <Output>(): Schema<Output> => ({
  '~standard': { version: 1, vendor: 'luneta', validate: (value) => ({ value: value as Output }) },
});

/** @see https://standardschema.dev */
interface Schema<Output> {
  '~standard': {
    version: 1;
    vendor: string;
    validate(value: unknown): { value: Output };
    types?: { input: Output; output: Output };
  };
}

/**
 * Public settings as a guarded object: reading a setting that is not public throws the error that a server-side environment
 * variable was accessed on the client. The check is made here in the browser and never skipped.
 */
export function readSettings(values: PublicValues) {
  return createEnv({
    isServer: false,
    clientPrefix: 'PUBLIC_',
    client: {
      PUBLIC_APP_URL: passThrough<string>(),
      PUBLIC_POSTHOG_KEY: passThrough<string | undefined>(),
      PUBLIC_POSTHOG_HOST: passThrough<string | undefined>(),
      PUBLIC_SUPABASE_URL: passThrough<string | undefined>(),
      PUBLIC_SUPABASE_ANON_KEY: passThrough<string | undefined>(),
      PUBLIC_TAG_MANAGER_ID: passThrough<string | undefined>(),
      PUBLIC_TAG_MANAGER_SRC: passThrough<string | undefined>(),
    },
    runtimeEnv: { ...values },
    emptyStringAsUndefined: true,
    skipValidation: false,
  });
}

export const BootContext = createContext<Boot | null>(null);

/** The page's boot values. */
export function useBoot(): Boot {
  const boot = useContext(BootContext);
  if (boot === null) throw new Error('outside the shell');
  return boot;
}

/** Language and theme as they are now, and how to change them; kept in cookies, so that the server draws the same. */
export interface Preferences {
  language: Language;
  theme: Theme | null;
  setLanguage(language: Language): void;
  setTheme(theme: Theme | null): void;
}

export const PreferencesContext = createContext<Preferences | null>(null);

export function usePreferences(): Preferences {
  const preferences = useContext(PreferencesContext);
  if (preferences === null) throw new Error('outside the shell');
  return preferences;
}

export const languageCookie = 'luneta_lang';
export const themeCookie = 'luneta_theme';
/** The project that was looked at last: what surrounds screens that are about none. */
export const projectCookie = 'luneta_project';

/** Keeps a preference for a year; null forgets it. Browser only. */
export function keepPreference(
  name: typeof languageCookie | typeof themeCookie | typeof projectCookie,
  value: string | null,
): void {
  const life = value === null ? 0 : 31_536_000;
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet
  document.cookie = `${name}=${value ?? ''}; Path=/; Max-Age=${life}; SameSite=Lax${secure}`;
}

/** Host of the analytics UI: the upstream's, or ours. */
export function uiHost({ PUBLIC_POSTHOG_HOST: upstream, PUBLIC_APP_URL }: PublicValues): string {
  if (upstream === undefined) return PUBLIC_APP_URL;
  return upstream.replace(/^https:\/\/(us|eu)\.i\.posthog\.com\/?$/, 'https://$1.posthog.com');
}
