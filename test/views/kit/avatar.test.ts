import { initials } from '#views/kit/Avatar.tsx';

describe('initials', () => {
  it.each([
    ['Caio Brandão', 'CB'],
    ['Helena de Alencar Prado', 'HP'],
    ['caio.brandao@exemplo.example', 'CB'],
    ['marina@serrana.example', 'M'],
    ['Érica', 'É'],
    ['user_42', 'U4'],
    ['  ', ''],
    ['😀 Ana', 'A'],
    ['', ''],
  ])('%j → %s', (name, wanted) => {
    expect(initials(name)).toBe(wanted);
  });
});
