/** Forms that change what a screen asks: filters, segments, dates. */
export { CustomComparison } from '#views/question/CustomComparison.tsx';
export { CustomRange } from '#views/question/CustomRange.tsx';
export { DateChoice } from '#views/question/filters/DateChoice.tsx';
export { FilterEditor } from '#views/question/filters/FilterEditor.tsx';
export { PeopleForm } from '#views/question/filters/PeopleForm.tsx';
export { SegmentBar } from '#views/question/filters/SegmentBar.tsx';
export { SegmentForm } from '#views/question/filters/SegmentForm.tsx';
export { NoteForm } from '#views/question/notes/NoteForm.tsx';
export { FlagSchedules } from '#views/screens/flags/FlagSchedules.tsx';
