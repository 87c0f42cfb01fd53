import { storyDays, tellStory } from '#src/demo/story.ts';
import { browserEvents, serverEvents } from '#src/demo/wire.ts';
import { uuidV7Time } from '#src/kit/ids.ts';

const end = Date.parse('2026-11-20T17:32:00Z');
const days = [...tellStory(end)];
const sent = days.map((day) => [...browserEvents(day, 'lnt_token'), ...serverEvents(day, end)]);
const events = sent.flat();

describe('the story of the sample shop', () => {
  it('fills ninety days and ends now, with at most 150,000 events', () => {
    expect(days).toHaveLength(storyDays);
    expect(events.length).toBeGreaterThan(120_000);
    expect(events.length).toBeLessThanOrEqual(150_000);
    expect(events.every(({ timestamp }) => Date.parse(timestamp) < end)).toBe(true);
    expect(events.some(({ timestamp }) => Date.parse(timestamp) > end - 3_600_000)).toBe(true);
    for (const day of days.slice(0, -1)) expect(day.visits.length).toBeGreaterThan(100);
  });

  it('is the same each time, and every event has an identity of its own', () => {
    expect(new Set(events.map(({ uuid }) => uuid)).size).toBe(events.length);
    const again = [...tellStory(end)];
    for (const at of [0, storyDays - 2, storyDays - 1]) {
      const day = again[at] as (typeof again)[number];
      const sentAgain = [...browserEvents(day, 'lnt_token'), ...serverEvents(day, end)];
      expect(JSON.stringify(sentAgain)).toBe(JSON.stringify(sent[at]));
    }
  });

  it('has the rhythm of a shop: quieter weekends, and a newsletter eight days ago', () => {
    const visits = days.map((day) => day.visits.length);
    const weekday = days.map((_, index) =>
      new Date(end - 3 * 3_600_000 - (storyDays - 1 - index) * 86_400_000).getUTCDay(),
    );
    const mean = (wanted: number[]) => {
      const counts = visits.slice(0, -1).filter((_, index) => wanted.includes(weekday[index] as number));
      return counts.reduce((sum, count) => sum + count, 0) / counts.length;
    };
    expect(mean([6, 0])).toBeLessThan(0.9 * mean([1, 2, 3, 4]));
    expect(visits.indexOf(Math.max(...visits))).toBe(storyDays - 9);
  });

  it('visits as people do', () => {
    const visits = days.flatMap((day) => day.visits).filter(({ actions }) => actions.length > 0);
    const views = events.filter(({ event }) => event === '$pageview').length;
    const bounced = visits.filter(({ actions }) => {
      const things = actions.filter(({ event }) => event === '$pageview' || event === '$autocapture').length;
      return things === 1 && (actions.at(-1)?.at as number) - (actions[0]?.at as number) < 10_000;
    });
    expect(views / visits.length).toBeCloseTo(3.1, 0);
    expect(bounced.length / visits.length).toBeCloseTo(0.4, 1);
    const names = new Set(events.map(({ event }) => event));
    for (const name of [
      'produto_visto',
      'adicionou_ao_carrinho',
      'buscou_produto',
      'checkout_iniciado',
      'pedido_concluido',
    ]) {
      expect(names).toContain(name);
    }
    for (const name of [
      'newsletter_inscrita',
      'pedido_enviado',
      '$identify',
      '$exception',
      '$web_vitals',
      '$pageleave',
    ]) {
      expect(names).toContain(name);
    }
  });

  it('has sessions that a server believes, and sends nothing to real people', () => {
    const ages = events.flatMap(({ properties, timestamp }) => {
      const session = properties['$session_id'];
      return typeof session === 'string' ? [Date.parse(timestamp) - (uuidV7Time(session) as number)] : [];
    });
    expect(ages.length).toBeGreaterThan(100_000);
    expect(ages.every((age) => age >= 0 && age < 86_400_000)).toBe(true);
    const emails = events.flatMap(({ $set }) => ($set && 'email' in $set ? [String($set['email'])] : []));
    expect(emails.length).toBeGreaterThan(100);
    expect(emails.every((email) => email.endsWith('@exemplo.example'))).toBe(true);
  });
});
