/** Every mail in both languages, as HTML and as text. */
import type { MailData, MailMessage } from '#src/mail/contract.ts';
import { renderMail } from '#src/mail/render.tsx';

const link = 'https://luneta.example.com/go?token=abc&next=%2F';
const moment = { at: Date.UTC(2026, 10, 19, 17, 32), timeZone: 'America/Sao_Paulo' };

/** Of letters: `report.test.ts` has the others. */
const samples: Omit<MailData, 'report'> = {
  verifyEmail: { link, minutes: 60 },
  magicLink: { link, minutes: 10 },
  resetPassword: { link, minutes: 10 },
  emailChangeConfirm: { link, minutes: 60 },
  emailChanged: { link, newAddress: 'new@example.com', ...moment },
  passwordChanged: { link, ...moment },
  invitation: { link, inviter: 'Marina Duarte', team: 'Café Serrana', role: 'viewer', days: 7 },
  teamDeletion: {
    link,
    team: 'Café Serrana',
    by: 'Marina Duarte',
    deletesAt: moment.at,
    timeZone: moment.timeZone,
  },
  projectDeletion: {
    link,
    project: 'Loja <b>',
    team: 'Café Serrana',
    by: 'Marina Duarte',
    deletesAt: moment.at,
    timeZone: moment.timeZone,
  },
  testMail: { link, by: 'Marina Duarte' },
  alert: {
    link,
    notice: 'fired',
    alert: 'Orders',
    project: 'Café Serrana',
    subject: { kind: 'goal', goal: 1, of: 'conversionRate' },
    subjectName: 'Order',
    condition: { kind: 'change', share: 0.5, direction: 'down' },
    interval: 'hour',
    from: moment.at,
    to: moment.at + 3_600_000,
    timeZone: moment.timeZone,
    value: 0.012,
    expected: 0.04,
  },
  reportConfirm: {
    link,
    by: 'Marina Duarte',
    project: 'Café Serrana',
    report: 'Website traffic',
    kind: 'dashboard',
    schedule: { frequency: 'weekly', weekday: 1, hour: 8 },
    days: 7,
  },
};
const kinds = Object.keys(samples) as (keyof typeof samples)[];

function write(kind: keyof typeof samples, language: 'en' | 'pt-BR', data: object = samples[kind]) {
  return renderMail({ to: 'reader@example.com', language, kind, data } as MailMessage);
}

describe.each(['en', 'pt-BR'] as const)('in %s', (language) => {
  it.each(kinds)('%s says the same as HTML and as text', (kind) => {
    const { subject, html, text, link: about } = write(kind, language);
    expect(about).toBe(link);
    expect(subject).not.toBe('');
    expect(html).toContain(`<html lang="${language}">`);
    expect(html.match(/href="https:\/\/luneta\.example\.com\/go\?token=abc&amp;next=%2F"/g)).toHaveLength(2);
    expect(text.split(link)).toHaveLength(2);
    const shown = html
      .replace(/<(head|div style="display:none)[\s\S]*?<\/(head|div)>/g, '')
      .replace(/<[^>]+>/g, ' ')
      .replaceAll('&amp;', '&')
      .replaceAll('&#x27;', "'");
    const wordsOf = (all: string) => new Set(all.match(/[\p{L}\d@.]+/gu));
    const missing = [...wordsOf(text)].filter((word) => !wordsOf(shown).has(word));
    expect(missing).toEqual([]);
    expect(html).not.toMatch(/undefined|\[object|NaN/);
    expect(text).not.toMatch(/undefined|\[object|NaN/);
  });

  it.each(kinds)('%s loads nothing and runs nothing', (kind) => {
    const { html } = write(kind, language);
    expect(html).not.toMatch(/<(script|img|link|iframe|form|input)\b/);
    expect(html).not.toMatch(/url\(|@import/);
  });
});

it('differs between the languages', () => {
  for (const kind of kinds) expect(write(kind, 'en').subject).not.toBe(write(kind, 'pt-BR').subject);
});

it('names the moment with its zone', () => {
  expect(write('passwordChanged', 'en').text.replace(/\s+/g, ' ')).toContain(
    'on Thu 19 Nov, 14:32, America/Sao_Paulo (UTC−3)',
  );
  expect(write('passwordChanged', 'pt-BR').text.replace(/\s+/g, ' ')).toContain(
    'em qui 19 nov, 14:32, America/Sao_Paulo (UTC−3)',
  );
});

describe('names that people chose', () => {
  const hostile = {
    link,
    inviter: 'Eve\r\nBcc: all@example.com',
    team: '<img src=x onerror=alert(1)>\u2028"',
    role: 'admin',
    days: 7,
  };

  it('make no new line in the subject, and no markup', () => {
    const { subject, html, text } = write('invitation', 'en', hostile);
    expect(subject).toBe('Eve Bcc: all@example.com invited you to <img src=x onerror=alert(1)> "');
    expect(html).not.toContain('<img');
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(text).not.toMatch(/^Bcc:/m);
  });

  it('are cut when they are long', () => {
    const { subject, text } = write('invitation', 'en', {
      ...hostile,
      inviter: 'x'.repeat(5_000),
      team: 'y'.repeat(5_000),
    });
    expect(subject.length).toBeLessThanOrEqual(200);
    expect(text.length).toBeLessThan(2_000);
  });
});

it('refuses a link that is no web address', () => {
  expect(() => write('magicLink', 'en', { link: 'javascript:alert(1)', minutes: 10 })).toThrow(TypeError);
});
