/** Forms that change what a screen asks: filters, segments, dates. */
export { CustomComparison } from '../screens/insights/CustomComparison.tsx';
export { CustomRange } from '../screens/insights/CustomRange.tsx';
export { DateChoice } from '../screens/insights/filters/DateChoice.tsx';
export { FilterEditor } from '../screens/insights/filters/FilterEditor.tsx';
export { PeopleForm } from '../screens/insights/filters/PeopleForm.tsx';
export { SegmentForm } from '../screens/insights/filters/SegmentForm.tsx';
export { NoteForm } from '../screens/insights/NoteForm.tsx';
