/** Groups such as companies. */
export * as group from '../screens/groups/Group.tsx';
export * as groups from '../screens/groups/Groups.tsx';
