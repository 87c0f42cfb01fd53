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

/** Answers of the first bytes, by the hash of their query. */
const firsts = new WeakMap<QueryClient, ReadonlyMap<string, unknown>>();

/** Has parts drawn by what is known now until they are hydrated. To be called when the first bytes are made, and when they are read. */
export function noteFirst(client: QueryClient): void {
  const queries = client.getQueryCache().getAll();
  firsts.set(client, new Map(queries.map(({ queryHash, state }) => [queryHash, state.data])));
}

/** Pages that are drawn in one go have no first bytes: there it is all that is known. */
function firstOf(client: QueryClient, key: QueryKey): unknown {
  const first = firsts.get(client);
  return first ? first.get(hashKey(key)) : client.getQueryData(key);
}

function useObserved<Data, Failure, Key extends QueryKey>(options: Options<Data, Failure, Key>): Known<Data, Failure> {
  const client = useQueryClient();
  const result = useObservedQuery(options);
  const { queryKey } = options;
  const isAhead = useSyncExternalStore(
    never,
    () => false,
    () => {
      const { data, error } = client.getQueryState(queryKey) ?? {};
      return !!error || data !== firstOf(client, queryKey);
    },
  );
  return isAhead ? asDrawn(firstOf(client, queryKey)) : result;
}

function useCached<Data, Failure, Key extends QueryKey>({
  queryKey,
}: Options<Data, Failure, Key>): Known<Data, Failure> {
  return asDrawn(firstOf(useQueryClient(), queryKey));
}

/** What a part is drawn by before it is hydrated. The server writes failures into the page for the browser. */
function asDrawn<Data, Failure>(data: unknown): Known<Data, Failure> {
  return { data, error: null } as Known<Data, Failure>;
}

const never = () => () => undefined;

/** What is known of a query; in browsers, drawn again when that changes. */
export const useQuery: <Data, Failure, Key extends QueryKey>(
  options: Options<Data, Failure, Key>,
) => Known<Data, Failure> = typeof document === 'undefined' ? useCached : useObserved;
