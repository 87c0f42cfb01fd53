/** Companies that buy at the sample shop: cafés, offices and hotels with a subscription. Invented data; the same for each story. */
import { hash } from 'node:crypto';
import type { JsonObject } from '#src/kit/json.ts';
import type { Customer } from './audience.ts';
import { slug } from './shop.ts';

/** How events name the group type, and what the shop calls it. */
export const companyType = { type: 0, name: 'company', singular: 'Empresa', plural: 'Empresas' };

export interface Company {
  key: string;
  /** As `$group_set`. */
  properties: JsonObject;
}

const plans = { Essencial: 189, Profissional: 449, Empresarial: 1190 } as const;

const rows = [
  ['Padaria Estrela do Sul', 'Padaria', 'Curitiba', 'Essencial', 6],
  ['Hotel Vale das Araucárias', 'Hotelaria', 'Campos do Jordão', 'Empresarial', 48],
  ['Coworking Paulista 900', 'Escritório', 'São Paulo', 'Profissional', 32],
  ['Livraria do Largo', 'Varejo', 'Belo Horizonte', 'Essencial', 5],
  ['Studio Norte Arquitetura', 'Escritório', 'São Paulo', 'Essencial', 9],
  ['Clínica Bem-Estar', 'Saúde', 'Campinas', 'Profissional', 21],
  ['Cafeteria Dona Rosa', 'Cafeteria', 'Poços de Caldas', 'Profissional', 12],
  ['Agência Maré', 'Escritório', 'Florianópolis', 'Essencial', 14],
  ['Restaurante Quintal', 'Restaurante', 'Rio de Janeiro', 'Profissional', 18],
  ['Tecnologia Horizonte', 'Tecnologia', 'São Paulo', 'Empresarial', 120],
  ['Pousada Mar Aberto', 'Hotelaria', 'Salvador', 'Essencial', 8],
  ['Escola Semear', 'Educação', 'Porto Alegre', 'Profissional', 40],
  ['Contábil Andrade', 'Escritório', 'Goiânia', 'Essencial', 11],
  ['Mercado Colheita', 'Varejo', 'Brasília', 'Profissional', 26],
  ['Cowork Mangue', 'Escritório', 'Recife', 'Profissional', 30],
  ['Banco Litoral', 'Finanças', 'São Paulo', 'Empresarial', 210],
  ['Confeitaria Pão de Mel', 'Cafeteria', 'Juiz de Fora', 'Essencial', 4],
  ['Advocacia Torres', 'Escritório', 'Vitória', 'Essencial', 10],
] as const;

export const companies: readonly Company[] = rows.map(([name, setor, cidade, plano, assentos]) => ({
  key: slug(name),
  properties: { name, setor, cidade, plano, assentos, mensalidade: plans[plano] },
}));

/** Two customers in five buy for a company; some companies have more of them than others. */
export function companyOf({ email }: Customer): Company | null {
  const number = Number.parseInt(hash('sha1', email).slice(0, 8), 16);
  if (number % 5 > 1) return null;
  return companies[Math.floor((((number / 5) % 1_000) ** 2 / 1_000_000) * companies.length)] ?? null;
}
