import { zoneOf } from '#src/kit/zone.ts';
import { dueTimes, nextDue, periodAt } from '#src/reports/schedule.ts';
import type { ReportSchedule } from '#src/reports/values.ts';

const at = (text: string) => Date.parse(text);
const iso = (ms: number) => new Date(ms).toISOString();
const daily = (hour: number): ReportSchedule => ({ frequency: 'daily', weekday: 1, hour });
const weekly = (weekday: number, hour: number): ReportSchedule => ({ frequency: 'weekly', weekday, hour });
const monthly = (hour: number): ReportSchedule => ({ frequency: 'monthly', weekday: 1, hour });

it('is due at the hour of the reader, whatever the zone', () => {
  const now = at('2026-11-16T12:00:00Z');
  const since = now - 86_400_000;
  expect(dueTimes(weekly(1, 8), 'America/Sao_Paulo', { since, now }).map(iso)).toEqual(['2026-11-16T11:00:00.000Z']);
  expect(dueTimes(weekly(1, 8), 'Asia/Tokyo', { since, now }).map(iso)).toEqual(['2026-11-15T23:00:00.000Z']);
  expect(iso(nextDue(weekly(1, 8), 'America/Sao_Paulo', now))).toBe('2026-11-23T11:00:00.000Z');
  expect(iso(nextDue(monthly(0), 'America/Sao_Paulo', now))).toBe('2026-12-01T03:00:00.000Z');
});

it('is due once on days on which clocks skip the hour, or repeat it', () => {
  const spring = { since: at('2026-03-08T00:00:00Z'), now: at('2026-03-09T00:00:00Z') };
  expect(dueTimes(daily(2), 'America/New_York', spring).map(iso)).toEqual(['2026-03-08T07:00:00.000Z']);
  const autumn = { since: at('2026-11-01T00:00:00Z'), now: at('2026-11-02T00:00:00Z') };
  expect(dueTimes(daily(1), 'America/New_York', autumn).map(iso)).toEqual(['2026-11-01T05:00:00.000Z']);
  // The day that Samoa skipped.
  const skipped = { since: at('2011-12-29T00:00:00Z'), now: at('2012-01-01T20:00:00Z') };
  const dues = dueTimes(daily(8), 'Pacific/Apia', skipped);
  expect(new Set(dues).size).toBe(dues.length);
});

it('has one due time a day, however a zone changes its clocks', () => {
  for (const zone of ['America/Sao_Paulo', 'Europe/Lisbon', 'Australia/Lord_Howe', 'Asia/Kathmandu']) {
    for (const hour of [0, 2, 3, 23]) {
      const days = new Set<number>();
      const from = at('2026-01-01T12:00:00Z');
      let due = from;
      for (let n = 0; n < 400; n += 1) {
        due = nextDue(daily(hour), zone, due);
        days.add(zoneOf(zone).dayAt(due));
      }
      expect(days.size).toBe(400);
    }
  }
});

it('shows the last finished day, week or month of the project, and the one before', () => {
  const project = { timeZone: 'America/Sao_Paulo', weekStart: 1 as const };
  const due = at('2026-11-16T11:00:00Z');
  expect(periodAt('daily', due, project)).toEqual({
    dates: { from: '2026-11-15', to: '2026-11-15' },
    previous: { from: '2026-11-14', to: '2026-11-14' },
  });
  expect(periodAt('weekly', due, project)).toEqual({
    dates: { from: '2026-11-09', to: '2026-11-15' },
    previous: { from: '2026-11-02', to: '2026-11-08' },
  });
  expect(periodAt('weekly', due, { ...project, weekStart: 0 }).dates).toEqual({ from: '2026-11-08', to: '2026-11-14' });
  expect(periodAt('monthly', at('2026-03-01T10:00:00Z'), project)).toEqual({
    dates: { from: '2026-02-01', to: '2026-02-28' },
    previous: { from: '2026-01-01', to: '2026-01-31' },
  });
  // Before midnight of the project the day is not finished, whatever the reader's clock says.
  expect(periodAt('daily', at('2026-11-16T02:00:00Z'), project).dates.to).toBe('2026-11-14');
});
