/** The fields in which a date, and if it matters a time of it, are written. */
import { useState } from 'react';

/** Whether it is changed as a text, which stays so while it is open. */
export function useIsText(value: string): boolean {
  return useState(() => isText(value))[0];
}

/** A moment elsewhere than here is changed as it was written, and so is what no such field can show. */
export function isText(value: string): boolean {
  return value.length > 10 && !/^.{10}T\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/.test(value);
}

/** Whether a time says itself where it is meant. */
export function saysWhere(value: string): boolean {
  return /[T ].*(Z|[+-]\d\d:?\d\d)$/.test(value);
}

/** What stands in the field of the date and in that of the time; '' for a field that is empty. */
export function dateAndTime(value: string): readonly [date: string, time: string] {
  const [date = '', time = ''] = value.split('T');
  return [date, time];
}

/** The same time of another date. Of no date, it is kept until there is one. */
export function withDate(value: string, date: string): string {
  return joined(date, dateAndTime(value)[1]);
}

/** Another time of the same date; without any, the whole day. */
export function withTime(value: string, time: string): string {
  return joined(dateAndTime(value)[0], time);
}

function joined(date: string, time: string): string {
  return time === '' ? date : `${date}T${time}`;
}

/** As fine as the time that came: of one to the minute, a field would not let its seconds be changed. */
export function useTimeStep(value: string): number | undefined {
  return useState(() => timeStepOf(value))[0];
}

export function timeStepOf(value: string): number | undefined {
  const [, time] = dateAndTime(value);
  if (time.length <= 5) return undefined;
  return time.length <= 8 ? 1 : 0.001;
}
