/** The field in which a date, or the time that an address brought, is written. */
import { useState } from 'react';

/** Its type, which stays while it is open: a time of which a part is taken off for the moment is still a time. */
export function useDateType(value: string): 'date' | 'datetime-local' | 'text' {
  return useState(() => dateTypeOf(value))[0];
}

/** A moment elsewhere than here is changed as it was written, and so is what no such field can show. */
export function dateTypeOf(value: string): 'date' | 'datetime-local' | 'text' {
  if (value.length <= 10) return 'date';
  return /^.{10}T\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/.test(value) ? 'datetime-local' : 'text';
}

/** Whether a time says itself where it is meant. */
export function saysWhere(value: string): boolean {
  return /[T ].*(Z|[+-]\d\d:?\d\d)$/.test(value);
}
