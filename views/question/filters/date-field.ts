/** Fields of a date and optional time. */
import { useState } from 'react';

/** True when the value is edited as text; fixed while open. */
export function useIsText(value: string): boolean {
  return useState(() => isText(value))[0];
}

/** True for times with another offset, and for values that the fields cannot show: they are edited as text. */
export function isText(value: string): boolean {
  return value.length > 10 && !/^.{10}T\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/.test(value);
}

/** True when a time has an offset. */
export function saysWhere(value: string): boolean {
  return /[T ].*(Z|[+-]\d\d:?\d\d)$/.test(value);
}

/** Contents of the date and time fields; '' when empty. */
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

/** Step of the time field, seconds, so that given seconds can be edited. */
export function useTimeStep(value: string): number | undefined {
  return useState(() => timeStepOf(value))[0];
}

export function timeStepOf(value: string): number | undefined {
  const [, time] = dateAndTime(value);
  if (time.length <= 5) return undefined;
  return time.length <= 8 ? 1 : 0.001;
}
