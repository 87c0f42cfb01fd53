import { parseTime } from '#src/collect/steps/time.ts';
import { eventMarks } from '#src/events/contract.ts';
import { dropOf, finished, NOW, testContext } from '../context.ts';

const at = (ms: number) => new Date(ms).toISOString();
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('times as clients write them', () => {
  const expected = Date.UTC(2026, 10, 20, 12, 30, 15, 250);
  it.each([
    ['2026-11-20T12:30:15.250Z', expected],
    ['2026-11-20T12:30:15.250123Z', expected],
    ['2026-11-20T12:30:15,25Z', expected],
    ['2026-11-20T09:30:15.250-03:00', expected],
    ['2026-11-20T09:30:15.250-0300', expected],
    ['2026-11-20T09:30:15.250-03', expected],
    ['2026-11-20T18:00:15.250+05:30', expected],
    ['2026-11-20 12:30:15.250', expected],
    ['2026-11-20 12:30:15.250 UTC', expected],
    ['2026-11-20T12:30:15.25z', expected],
    ['2026-11-20T12:30Z', Date.UTC(2026, 10, 20, 12, 30)],
    ['2026-11-20', Date.UTC(2026, 10, 20)],
    ['2026-11', Date.UTC(2026, 10, 1)],
    ['Fri, 20 Nov 2026 12:30:15 GMT', Date.UTC(2026, 10, 20, 12, 30, 15)],
    ['20 Nov 2026 09:30:15 -0300', Date.UTC(2026, 10, 20, 12, 30, 15)],
    ['1795177815', 1_795_177_815_000],
    ['1795177815250', 1_795_177_815_250],
    [1_795_177_815.25, 1_795_177_815_250],
    [1_795_177_815_250, 1_795_177_815_250],
    ['+275760-09-13T00:00:00.000Z', 8_640_000_000_000_000],
    ['0001-01-01T00:00:00Z', -62_135_596_800_000],
  ])('%p', (text, ms) => {
    expect(parseTime(text)).toBe(ms);
  });

  it.each([
    '',
    'yesterday',
    '2026-13-01',
    '2026-02-31',
    '2026-11-20T25:00:00Z',
    '20/11/2026',
    'Infinity',
    true,
    null,
    [],
    {},
    Number.NaN,
    `${'1'.repeat(400)}`,
  ])('%p is no time', (value) => {
    expect(parseTime(value as never)).toBeNull();
  });
});

describe('event time', () => {
  it('is corrected by how wrong the client’s clock is', () => {
    const context = testContext({ facts: { sentAt: NOW + 2 * HOUR } });
    expect(finished({ timestamp: at(NOW + 2 * HOUR - 5_000) }, context).ts).toBe(NOW - 5_000);
  });

  it('is corrected for a clock that is a day wrong, either way', () => {
    for (const skew of [-DAY, DAY]) {
      const context = testContext({ facts: { sentAt: NOW + skew } });
      const event = finished({ timestamp: at(NOW + skew - 1_000) }, context);
      expect(event.ts).toBe(NOW - 1_000);
      expect(event.marks & eventMarks.clamped).toBe(0);
    }
  });

  it('takes the age before anything else', () => {
    expect(finished({ offset: 1_500, timestamp: at(NOW - HOUR) }).ts).toBe(NOW - 1_500);
  });

  it('stays as it is for history, and where the client asks for it', () => {
    const historical = testContext({ facts: { sentAt: NOW + HOUR, historical: true } });
    const event = finished({ timestamp: '2019-05-01T00:00:00Z' }, historical);
    expect(event.ts).toBe(Date.UTC(2019, 4, 1));
    expect(event.marks & (eventMarks.historical | eventMarks.late)).toBe(eventMarks.historical);
    const uncorrected = testContext({ facts: { sentAt: NOW + HOUR } });
    expect(finished({ timestamp: at(NOW), properties: { $ignore_sent_at: true } }, uncorrected).ts).toBe(NOW);
  });

  it('is the receipt time without one', () => {
    const event = finished({});
    expect([event.ts, event.marks & eventMarks.clamped]).toEqual([NOW, 0]);
  });

  it.each([
    ['a day ahead', at(NOW + 23 * HOUR + 1), 'clock_ahead'],
    ['year 275760', '+275760-09-13T00:00:00.000Z', 'clock_ahead'],
    ['year 0', '0000-01-01T00:00:00Z', 'bad_time'],
    ['before year 0', '-000044-03-15T12:00:00Z', 'bad_time'],
    ['no date', 'now', 'bad_time'],
    ['a list', [1], 'bad_time'],
  ])('becomes the receipt time, marked: %s', (_name, timestamp, reason) => {
    const context = testContext({ facts: { sentAt: null } });
    const event = finished({ timestamp }, context);
    expect(event.ts).toBe(NOW);
    expect(event.marks & eventMarks.clamped).toBe(eventMarks.clamped);
    expect(context.warnings.map((warning) => warning.reason)).toEqual([reason]);
  });

  it('may lie 23 hours ahead', () => {
    const context = testContext({ facts: { sentAt: null } });
    expect(finished({ timestamp: at(NOW + 23 * HOUR) }, context).ts).toBe(NOW + 23 * HOUR);
  });

  it('may lie as far back as it likes, marked late beyond 30 days', () => {
    const context = testContext({ facts: { sentAt: null } });
    expect(finished({ timestamp: at(NOW - 30 * DAY) }, context).marks & eventMarks.late).toBe(0);
    const late = finished({ timestamp: '1999-12-31T00:00:00Z' }, context);
    expect([late.ts, late.marks & eventMarks.late]).toEqual([Date.UTC(1999, 11, 31), eventMarks.late]);
  });

  it('must not lie before what the project keeps', () => {
    const context = testContext({ settings: { retentionDays: 90 }, facts: { sentAt: null } });
    expect(dropOf({ event: 'a', distinct_id: 'd', timestamp: at(NOW - 90 * DAY - 1) }, context)).toBe('expired');
    expect(dropOf({ event: 'a', distinct_id: 'd', timestamp: at(NOW - 90 * DAY) }, context)).toBeNull();
  });

  it('must not lie before the end of a dropped month', () => {
    const closedUntil = Date.UTC(2027, 0, 1);
    const context = testContext({ closedUntil, facts: { receivedAt: Date.UTC(2027, 3, 2), sentAt: null } });
    const drop = (timestamp: string) => dropOf({ event: 'a', distinct_id: 'd', timestamp }, context);
    expect(drop('2026-12-31T23:59:59.999Z')).toBe('dropped_month');
    expect(drop('2026-12-31T22:00:00-03:00')).toBeNull();
    expect(drop('2027-01-01T00:00:00Z')).toBeNull();
    // Nothing older is stored either.
    expect(drop('1970-01-01T00:00:00Z')).toBe('dropped_month');
    // No time at all is the time of receipt.
    expect(drop('soon')).toBeNull();
  });
});
