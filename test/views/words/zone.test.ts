import { addDays, dateIn, daysBetween, offsetMinutes, offsetName, wallTime } from '#views/words/zone.ts';

describe('zones', () => {
  it.each([
    ['2026-11-20T12:00:00Z', 'America/Sao_Paulo', -180, 'UTC−3'],
    ['2018-12-20T12:00:00Z', 'America/Sao_Paulo', -120, 'UTC−2'],
    ['2026-11-20T12:00:00Z', 'UTC', 0, 'UTC'],
    ['2026-11-20T12:00:00Z', 'Asia/Kathmandu', 345, 'UTC+5:45'],
    ['2026-11-20T12:00:00Z', 'Asia/Kolkata', 330, 'UTC+5:30'],
    ['2026-07-01T12:00:00Z', 'Europe/Lisbon', 60, 'UTC+1'],
    ['2026-11-20T12:00:00Z', 'Nowhere/Atlantis', 0, 'UTC'],
  ])('%s in %s', (iso, zone, minutes, name) => {
    expect(offsetMinutes(Date.parse(iso), zone)).toBe(minutes);
    expect(offsetName(Date.parse(iso), zone)).toBe(name);
  });

  it('changes the offset at the very quarter of an hour', () => {
    const jump = Date.parse('2026-03-29T01:00:00Z');
    expect(wallTime(jump - 1, 'Europe/Lisbon')).toMatchObject({ hour: 0, minute: 59, second: 59 });
    expect(wallTime(jump, 'Europe/Lisbon')).toMatchObject({ hour: 2, minute: 0, second: 0 });
  });

  it('knows the date and the weekday on the wall', () => {
    const lateEvening = Date.parse('2026-11-21T02:30:00Z');
    expect(dateIn(lateEvening, 'America/Sao_Paulo')).toBe('2026-11-20');
    expect(wallTime(lateEvening, 'America/Sao_Paulo')).toMatchObject({ day: 20, weekday: 5, hour: 23 });
  });

  it('counts days on the calendar, over months and leap days', () => {
    expect(addDays('2026-11-20', -27)).toBe('2026-10-24');
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
    expect(daysBetween('2026-10-24', '2026-11-20')).toBe(27);
  });
});
