import { chooseLanguage, loadWords } from '#views/words/catalogues.ts';

describe('chooseLanguage', () => {
  it.each([
    ['pt-BR', 'en', 'pt-BR'],
    ['en', 'pt-BR,pt;q=0.9', 'en'],
    [undefined, 'pt-BR,pt;q=0.9,en;q=0.8', 'pt-BR'],
    [undefined, 'pt-PT', 'pt-BR'],
    [undefined, 'fr, de;q=0.9, pt;q=0.4, en;q=0.3', 'pt-BR'],
    [undefined, 'en;q=0.2, pt;q=0.1', 'en'],
    [undefined, 'pt;q=0, en', 'en'],
    [undefined, 'fr', 'en'],
    [undefined, undefined, 'en'],
    ['klingon', undefined, 'en'],
  ])('cookie %s, header %s', (cookie, header, language) => {
    expect(chooseLanguage(cookie, header)).toBe(language);
  });

  it('loads the words of the language', async () => {
    expect((await loadWords('pt-BR')).nav.overview).toBe('Visão geral');
    expect((await loadWords('en')).nav.overview).toBe('Overview');
  });
});
