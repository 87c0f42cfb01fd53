import { aiAssistants } from '#src/collect/steps/ai-assistants.ts';
import { sourceName, sourceNames } from '#src/columns/filters/source-names.ts';
import fc from '#test/kit/fast-check.ts';

it.each([
  ['www.google.com.br', 'Google'],
  ['google.co.uk', 'Google'],
  ['android-app.google', 'android-app.google'],
  ['docs.google.com', 'Google'],
  ['mail.google.com', 'Gmail'],
  ['gemini.google.com', 'Gemini'],
  ['pt.search.yahoo.com', 'Yahoo'],
  ['l.instagram.com', 'Instagram'],
  ['IG', 'Instagram'],
  ['lm.facebook.com:443', 'Facebook'],
  ['m.me', 'Messenger'],
  ['t.co', 'X'],
  ['x', 'X'],
  ['web.whatsapp.com', 'WhatsApp'],
  ['com.google.android.googlequicksearchbox', 'Google'],
  ['chat.openai.com', 'ChatGPT'],
  ['notgoogle.com', 'notgoogle.com'],
  ['google.com.evil.example', 'google.com.evil.example'],
  ['m.guiadocafe.example', 'guiadocafe.example'],
  ['WWW.Parceiro.example', 'parceiro.example'],
  ['m.br', 'm.br'],
  ['l.', 'l.'],
  ['Colheita 2026', 'colheita 2026'],
  ['(direct)', '$direct'],
  ['$direct', '$direct'],
  ['', ''],
])('calls %s %s', (said, name) => {
  expect(sourceName(said)).toBe(name);
});

it('gives a name its own, in any letter case, with or without www., a port or a subdomain', () => {
  const known = Object.entries(sourceNames);
  fc.assert(
    fc.property(
      fc.constantFrom(...known),
      fc.constantFrom('', 'www.', 'm.', 'a.b.'),
      fc.constantFrom('', ':8080'),
      ([said, name], prefix, port) => {
        expect(sourceName(name.toUpperCase())).toBe(name);
        expect(sourceName(said.toUpperCase())).toBe(name);
        const isHost = said.includes('.') && !/^(com|org|ai)\./.test(said);
        if (isHost) expect(sourceName(prefix + said + port)).toBe(name);
      },
    ),
  );
});

it('gives a text the same name in every implementation', () => {
  fc.assert(
    fc.property(fc.domain(), (host) => {
      expect(sourceName(sourceName(host))).toBe(sourceName(host));
    }),
  );
});

it('knows every AI assistant that has a channel', () => {
  const said = aiAssistants.trim().split(/\s+/);
  expect(said.filter((each) => sourceNames[each] === undefined && sourceName(each) === each)).toEqual([]);
});
