/**
 * What is known of a query, for parts that show what there is and wait for nothing. The server may draw such a part before an answer comes that the browser has when it
 * hydrates the part: then it is drawn without the answer at first (otherwise React's error 418, and the part is drawn again), and with it right afterwards.
 */
import { type QueryClient, type QueryKey, type UseQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useSyncExternalStore } from 'react';

export interface Known<Data, Failure = unknown> {
  /** Undefined until the answer is there. */
  data: Data | undefined;
  /** Null on the server, which writes failures into the page for the browser. */
  error: Failure | null;
}

type Options<Data, Failure, Key extends QueryKey> = UseQueryOptions<Data, Failure, Data, Key>;
type UseKnown = <Data, Failure, Key extends QueryKey>(options: Options<Data, Failure, Key>) => Known<Data, Failure>;

/** In browsers: ids of parts that the server drew before the answer to their query came. */
export const earlyParts = new Set<string>();

/** Subscribes to what does not change but for hydration. */
export const never = () => () => undefined;

function useObserved<Data, Failure, Key extends QueryKey>(options: Options<Data, Failure, Key>): Known<Data, Failure> {
  const { data, error } = useQuery(options);
  const id = useId();
  const isEarly = useSyncExternalStore(
    never,
    () => false,
    () => earlyParts.has(id),
  );
  return isEarly ? { data: undefined, error: null } : { data, error };
}

type NotePart = (id: string, isEarly: boolean) => void;
const notes = new WeakMap<QueryClient, NotePart>();

/**
 * On the server: the page of this client hears of each part, each time it is drawn, whether the answer to its query is still to come.
 * Parts are drawn once there, so they read the cache: the frame and the tables of a page ask some sixty times, and observers for that took a quarter of rendering.
 */
export function noteParts(client: QueryClient, note: NotePart): void {
  notes.set(client, note);
  hook = useCached;
}

function useCached<Data, Failure, Key extends QueryKey>({
  queryKey,
}: Options<Data, Failure, Key>): Known<Data, Failure> {
  const client = useQueryClient();
  const id = useId();
  const state = client.getQueryState<Data>(queryKey);
  notes.get(client)?.(id, state !== undefined && state.data === undefined);
  return { data: state?.data, error: null };
}

/** The server's is set from its side: scripts of pages leave it out. */
let hook: UseKnown = useObserved;

/** What is known of a query now; in browsers, drawn again when that changes. */
export const useKnown: UseKnown = (options) => hook(options);
