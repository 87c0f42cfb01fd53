/**
 * Theme and language. A form that works without JavaScript (the server sets the cookie and redirects back); with it the
 * choice applies immediately.
 */
import { Icon } from '#views/kit/Icon.tsx';
import { OptionGroup, optionClass } from '#views/kit/Popover.tsx';
import { useNavigation } from '#views/navigation.tsx';
import { usePreferences } from '#views/settings.ts';
import { languages } from '#views/words/catalogues.ts';
import { useWords } from '#views/words/words.tsx';

/** Theme as the form sends it: `system` is the absence of a choice. */
export const themes = ['system', 'light', 'dark'] as const;

/** `themeOnly`: where the language is asked for beside it. */
export function Appearance({ themeOnly = false }: { themeOnly?: boolean }) {
  const { words } = useWords();
  const { place } = useNavigation();
  const preferences = usePreferences();
  return (
    <form
      method="post"
      action="/preferences"
      onSubmit={(event) => {
        const chosen = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null;
        if (chosen === null) return;
        event.preventDefault();
        const theme = themes.find((each) => each === chosen.value);
        const language = languages.find((each) => each === chosen.value);
        if (chosen.name === 'theme' && theme) preferences.setTheme(theme === 'system' ? null : theme);
        if (chosen.name === 'language' && language) preferences.setLanguage(language);
      }}
    >
      <input type="hidden" name="back" value={place.path + place.search} />
      <OptionGroup title={words.appearance.theme}>
        {themes.map((theme) => (
          <Choice
            key={theme}
            name="theme"
            value={theme}
            label={words.appearance.themes[theme]}
            chosen={theme === (preferences.theme ?? 'system')}
          />
        ))}
      </OptionGroup>
      {!themeOnly && (
        <OptionGroup title={words.appearance.language}>
          {languages.map((language) => (
            <Choice
              key={language}
              name="language"
              value={language}
              label={words.appearance.languages[language]}
              lang={language}
              chosen={language === preferences.language}
            />
          ))}
        </OptionGroup>
      )}
    </form>
  );
}

function Choice(props: { name: string; value: string; label: string; chosen: boolean; lang?: string }) {
  const { name, value, label, chosen, lang } = props;
  return (
    <button type="submit" name={name} value={value} lang={lang} className={optionClass(chosen)} aria-pressed={chosen}>
      <span>{label}</span>
      {chosen && <Icon name="check" small />}
    </button>
  );
}
