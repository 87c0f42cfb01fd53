/** Parts of the page of a group. */
export { GroupParts } from '../screens/groups/GroupParts.tsx';
