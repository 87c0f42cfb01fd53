/** What a site may tell its visitors about being counted with Luneta, in both languages, by how its project is set. */
import type { PrivacyOverview } from '#src/privacy/contract.ts';
import type { Language } from './en.ts';

export type CountingWay = 'cookieless' | 'consent';

/** In square brackets stands what only the site knows. */
export function privacyNotice(
  language: Language,
  way: CountingWay,
  { ipHandling, retentionDays }: PrivacyOverview['settings'],
): string {
  const text = texts[language];
  return [
    text.who,
    text.what,
    text.ways[way],
    text.ip[ipHandling],
    retentionDays === null ? text.forever : text.days(retentionDays),
    text.basis[way],
    text.rights,
  ].join('\n\n');
}

interface Notice {
  who: string;
  what: string;
  ways: Record<CountingWay, string>;
  ip: Record<PrivacyOverview['settings']['ipHandling'], string>;
  days(n: number): string;
  forever: string;
  basis: Record<CountingWay, string>;
  rights: string;
}

const texts: Record<Language, Notice> = {
  en: {
    who: 'We count visits to this site with Luneta, a program that we run ourselves. What it collects stays with us and is not sold or shared.',
    what: 'For each visit we note the pages seen, the time, the site you came from, the kind of device and browser, and the country.',
    ways: {
      cookieless:
        'Nothing is stored on your device: no cookies. To count a visitor once a day, a code is made from the address and browser with a secret that is destroyed by the end of the next day. After that it leads to nobody.',
      consent:
        'If you agree, a random number is stored on your device (a cookie and local storage), so that we know when you come back. Without your consent nothing is stored.',
    },
    ip: {
      none: 'Your IP address is used to find the country and then thrown away. We do not store it.',
      truncated:
        'Your IP address is used to find the country; we store it only shortened, so that it no longer stands for one connection.',
      full: 'Your IP address is stored with each event.',
    },
    days: (n) => `What we collected about visits is deleted after ${n} days.`,
    forever: 'What we collected about visits is kept until the purpose is over: [how long, and why].',
    basis: {
      cookieless:
        'Legal basis: our legitimate interest in a site that works well (GDPR art. 6(1)(f); LGPD art. 7, IX).',
      consent:
        'Legal basis: your consent (GDPR art. 6(1)(a); LGPD art. 7, I), which you can take back at any time with the button below.',
    },
    rights:
      'You may ask what we know about you, and have it corrected, handed out or erased. Write to [contact of your company, address, e-mail].',
  },
  'pt-BR': {
    who: 'Contamos as visitas a este site com a Luneta, um programa que nós mesmos operamos. O que ela coleta fica conosco e não é vendido nem compartilhado.',
    what: 'A cada visita anotamos as páginas vistas, o horário, o site de onde você veio, o tipo de aparelho e de navegador, e o país.',
    ways: {
      cookieless:
        'Nada é guardado no seu aparelho: não usamos cookies. Para contar cada visitante uma vez por dia, um código é calculado a partir do endereço e do navegador com um segredo que é destruído até o fim do dia seguinte. Depois disso ele não leva a ninguém.',
      consent:
        'Se você concordar, um número aleatório é guardado no seu aparelho (um cookie e o armazenamento local), para sabermos quando você volta. Sem o seu consentimento, nada é guardado.',
    },
    ip: {
      none: 'O seu endereço IP serve para descobrir o país e é descartado em seguida. Não o guardamos.',
      truncated:
        'O seu endereço IP serve para descobrir o país; só o guardamos encurtado, de modo que já não identifica uma conexão.',
      full: 'O seu endereço IP é guardado com cada evento.',
    },
    days: (n) => `O que coletamos sobre as visitas é excluído depois de ${n} dias.`,
    forever: 'O que coletamos sobre as visitas é guardado enquanto durar a finalidade: [por quanto tempo e por quê].',
    basis: {
      cookieless:
        'Base legal: nosso legítimo interesse em um site que funcione bem (LGPD, art. 7º, IX; GDPR, art. 6º, 1, f).',
      consent:
        'Base legal: o seu consentimento (LGPD, art. 7º, I; GDPR, art. 6º, 1, a), que você pode retirar a qualquer momento com o botão abaixo.',
    },
    rights:
      'Você pode perguntar o que sabemos sobre você e pedir correção, cópia ou exclusão. Escreva para [contato da sua empresa, endereço, e-mail].',
  },
};

/** A button for the site with which a visitor stays out. */
export function optOutSnippet(language: Language): string {
  const label = { en: 'Do not count my visits', 'pt-BR': 'Não conte as minhas visitas' }[language];
  return `<button type="button" onclick="posthog.opt_out_capturing()">\n  ${label}\n</button>`;
}

/** An address for a bookmark: opened on the site, it turns the counting of this browser off, and on again. */
export function bookmarkAddress(words: { out: string; in: string; none: string }): string {
  const say = (text: string) => `alert(${JSON.stringify(text)})`;
  const code = `window.posthog?posthog.has_opted_out_capturing()?(posthog.opt_in_capturing(),${say(words.in)}):(posthog.opt_out_capturing(),${say(words.out)}):${say(words.none)}`;
  return `javascript:void(${code.replaceAll('%', '%25')})`;
}
