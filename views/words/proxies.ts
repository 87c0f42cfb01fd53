/** Words about proxies in front of the server: what to set when visitors get the address of one. */
import type { ProxyProblem } from '#src/proxies/contract.ts';
import type { Part } from './part.ts';

interface Texts {
  problem(problem: ProxyProblem, number: (n: number) => string): string;
}

const en: Texts = {
  problem(problem, number) {
    if (problem.kind === 'untrusted') {
      const { proxies } = problem;
      const which =
        proxies === 1 ? 'the proxy in front of Luneta is' : `the ${number(proxies)} proxies in front of Luneta are`;
      return `Visitors appear with the IP address of a proxy. If ${which} yours, set ${settingsOf(problem, ' and ')} and restart.`;
    }
    if (problem.kind === 'excess') {
      const { trusted, proxies } = problem;
      return `Luneta trusts ${number(trusted)} ${trusted === 1 ? 'proxy' : 'proxies'}, but requests pass ${number(proxies)}: visitors can invent IP addresses. Set TRUST_PROXY=${proxies} and restart.`;
    }
    const { same, visitors, header, trusted } = problem;
    const shared = `${number(same)} of ${number(visitors)} recent visitors have the same IP address.`;
    const count = 'set TRUST_PROXY to the number of proxies in front of Luneta';
    if (header === null)
      return `${shared} If they aren’t on one network, make your proxy send X-Forwarded-For and ${count}.`;
    return `${shared} If they aren’t on one network, set CLIENT_IP_HEADER=${header}${trusted === 0 ? ` and ${count}` : ''}.`;
  },
};

const ptBR: Texts = {
  problem(problem, number) {
    if (problem.kind === 'untrusted') {
      const { proxies } = problem;
      const which =
        proxies === 1
          ? 'o proxy à frente da Luneta for seu'
          : `os ${number(proxies)} proxies à frente da Luneta forem seus`;
      return `Os visitantes aparecem com o endereço IP de um proxy. Se ${which}, defina ${settingsOf(problem, ' e ')} e reinicie.`;
    }
    if (problem.kind === 'excess') {
      const { trusted, proxies } = problem;
      return `A Luneta confia em ${number(trusted)} ${trusted === 1 ? 'proxy' : 'proxies'}, mas as requisições passam por ${number(proxies)}: visitantes podem inventar endereços IP. Defina TRUST_PROXY=${proxies} e reinicie.`;
    }
    const { same, visitors, header, trusted } = problem;
    const shared = `${number(same)} de ${number(visitors)} visitantes recentes têm o mesmo endereço IP.`;
    const count = 'defina TRUST_PROXY com o número de proxies à frente da Luneta';
    if (header === null)
      return `${shared} Se não estão na mesma rede, faça seu proxy enviar X-Forwarded-For e ${count}.`;
    return `${shared} Se não estão na mesma rede, defina CLIENT_IP_HEADER=${header}${trusted === 0 ? ` e ${count}` : ''}.`;
  },
};

function settingsOf({ proxies, header }: Extract<ProxyProblem, { kind: 'untrusted' }>, and: string): string {
  const trust = `TRUST_PROXY=${proxies}`;
  return header === null ? trust : `${trust}${and}CLIENT_IP_HEADER=${header}`;
}

export const proxyWords: Part<Texts> = { en, 'pt-BR': ptBR };
