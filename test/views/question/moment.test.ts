/** Between a form's date and time and the moment. */
import { momentOf, timeOf, whenOf } from '#views/question/moment.ts';

const zone = 'Europe/Berlin';

it('is the moment at which the clock of the project shows it', () => {
  expect(whenOf('2026-11-20', '', zone)).toEqual({ day: '2026-11-20' });
  expect(whenOf('2026-11-20', '14:05', zone)).toEqual({ at: Date.parse('2026-11-20T13:05:00Z') });
  expect(momentOf('2026-07-01', '00:30', 'Asia/Kolkata')).toBe(Date.parse('2026-06-30T19:00:00Z'));
  expect(momentOf('2026-11-20', '23:59', 'America/Sao_Paulo')).toBe(Date.parse('2026-11-21T02:59:00Z'));
});

it('holds when clocks change', () => {
  // 25 October 2026: from 3:00 back to 2:00. 29 March 2026: from 2:00 to 3:00.
  expect(momentOf('2026-10-25', '01:30', zone)).toBe(Date.parse('2026-10-24T23:30:00Z'));
  expect(momentOf('2026-10-25', '02:30', zone)).toBe(Date.parse('2026-10-25T00:30:00Z'));
  expect(momentOf('2026-10-25', '03:30', zone)).toBe(Date.parse('2026-10-25T02:30:00Z'));
  expect(momentOf('2026-03-29', '01:30', zone)).toBe(Date.parse('2026-03-29T00:30:00Z'));
  expect(timeOf(momentOf('2026-03-29', '02:30', zone), zone)).toBe('03:30');
});

it('comes back as it was', () => {
  for (const zoneName of [zone, 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia', 'UTC']) {
    for (let ms = Date.parse('2026-01-01T00:00:00Z'); ms < Date.parse('2027-01-01T00:00:00Z'); ms += 13 * 3_600_000) {
      const day = new Date(ms).toISOString().slice(0, 10);
      expect([zoneName, day, timeOf(momentOf(day, '12:20', zoneName), zoneName)]).toEqual([zoneName, day, '12:20']);
    }
  }
});
