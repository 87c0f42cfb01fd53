/**
 * Queries of parts that show what there is and wait for nothing. On both sides such a part is drawn at first by what the first bytes of the
 * page brought. An answer that comes later may be in the browser before it hydrates a part that the server drew without it: the markup would
 * not match (React's error 418). After that the part follows the query.
 *
 * The server draws a page once and observes no queries: the frame and the tables of a page ask some sixty times, and observers for that took
 * a quarter of rendering.
 */
import {
  hashKey,
  type Query,
  type QueryClient,
  type QueryKey,
  type UseQueryOptions,
  type UseQueryResult,
  useQuery as useObservedQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

type Known<Data, Failure> = Pick<
  UseQueryResult<Data, Failure>,
  'data' | 'error' | 'isFetching' | 'isError' | 'isPaused' | 'refetch'
>;

type Options<Data, Failure, Key extends QueryKey> = UseQueryOptions<Data, Failure, Data, Key>;

/** Answers of the first bytes. */
const firsts = new WeakMap<Query, unknown>();

/** Has parts drawn by what is known now until they are hydrated. To be called when the first bytes are made, and when they are read. */
export function noteFirst(client: QueryClient): void {
  for (const query of client.getQueryCache().getAll()) firsts.set(query, query.state.data);
}

/** What a part is drawn by before it is hydrated. The server writes failures into the page for the browser. */
function useFirst<Data, Failure, Key extends QueryKey>({ queryKey }: Options<Data, Failure, Key>) {
  const query = useQueryClient().getQueryCache().get(hashKey(queryKey)) as Query;
  return { query, data: firsts.get(query), error: null } as unknown as Known<Data, Failure> & { query?: Query };
}

function useObserved<Data, Failure, Key extends QueryKey>(options: Options<Data, Failure, Key>): Known<Data, Failure> {
  const first = useFirst(options);
  const result = useObservedQuery(options);
  const state = first.query?.state;
  const isAhead = useSyncExternalStore(
    never,
    () => false,
    () => !!state?.error || state?.data !== first.data,
  );
  return isAhead ? first : result;
}

const never = () => () => undefined;

/** What is known of a query; in browsers, drawn again when that changes. */
export const useQuery: <Data, Failure, Key extends QueryKey>(
  options: Options<Data, Failure, Key>,
) => Known<Data, Failure> = typeof document === 'undefined' ? useFirst : useObserved;
