/**
 * What is known of a query, for parts that show what there is and wait for nothing. Browsers observe the query. The server draws a page
 * once, so it reads the cache: the frame and the tables of a page ask some sixty times, and observers for that took a quarter of rendering.
 */
import { type QueryKey, type UseQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query';

export interface Known<Data> {
  /** Undefined until the answer is there. */
  data: Data | undefined;
  /** Null on the server, which writes failures into the page for the browser. */
  error: unknown;
}

type Options<Data, Failure, Key extends QueryKey> = UseQueryOptions<Data, Failure, Data, Key>;

function useObserved<Data, Failure, Key extends QueryKey>(options: Options<Data, Failure, Key>): Known<Data> {
  const { data, error } = useQuery(options);
  return { data, error };
}

function useCached<Data, Failure, Key extends QueryKey>({ queryKey }: Options<Data, Failure, Key>): Known<Data> {
  return { data: useQueryClient().getQueryData<Data>(queryKey), error: null };
}

/** What is known of a query now; in browsers, drawn again when that changes. */
export const useKnown: <Data, Failure, Key extends QueryKey>(options: Options<Data, Failure, Key>) => Known<Data> =
  typeof document === 'undefined' ? useCached : useObserved;
