/** People. */
export * as people from '../screens/profiles/People.tsx';
export * as person from '../screens/profiles/Person.tsx';
