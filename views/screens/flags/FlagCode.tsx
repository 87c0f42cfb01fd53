/** How to read a flag, in six languages. */
import { useId, useState } from 'react';
import { CodeBlock } from '#views/kit/CodeBlock.tsx';
import { PanelTabs, TabPanel } from '#views/kit/Tabs.tsx';
import { flagWords } from '#views/words/flags.ts';
import { usePart } from '#views/words/words.tsx';
import css from './Flags.module.css';

const languages = ['JavaScript', 'React', 'Node.js', 'Python', 'Go', 'HTTP'] as const;
type Language = (typeof languages)[number];

export interface FlagCodeProps {
  flagKey: string;
  variants: readonly string[];
}

export function FlagCode({ flagKey, variants }: FlagCodeProps) {
  const own = usePart(flagWords);
  const id = useId();
  const [language, setLanguage] = useState<Language>('JavaScript');
  return (
    <section className={css['part']} aria-label={own.code}>
      <h3>{own.code}</h3>
      <PanelTabs
        id={id}
        label={own.code}
        tabs={languages.map((each) => ({ key: each, label: each }))}
        current={language}
        onChoose={(key) => setLanguage(key as Language)}
      />
      <TabPanel id={id} current={language}>
        <CodeBlock title={language} code={codeFor(language, flagKey, variants[0])} />
      </TabPanel>
    </section>
  );
}

/** @param variant of flags that have some */
export function codeFor(language: Language, key: string, variant: string | undefined): string {
  const name = JSON.stringify(key);
  const value = variant === undefined ? null : JSON.stringify(variant);
  switch (language) {
    case 'JavaScript':
      return `posthog.onFeatureFlags(() => {\n  if (${
        value === null ? `posthog.isFeatureEnabled(${name})` : `posthog.getFeatureFlag(${name}) === ${value}`
      }) {\n    // …\n  }\n});`;
    case 'React':
      return value === null
        ? `const isOn = useFeatureFlagEnabled(${name});`
        : `const variant = useFeatureFlagVariantKey(${name});\nconst isOn = variant === ${value};`;
    case 'Node.js':
      return value === null
        ? `const isOn = await posthog.isFeatureEnabled(${name}, distinctId);`
        : `const variant = await posthog.getFeatureFlag(${name}, distinctId);`;
    case 'Python':
      return value === null
        ? `is_on = posthog.feature_enabled(${name}, distinct_id)`
        : `variant = posthog.get_feature_flag(${name}, distinct_id)`;
    case 'Go':
      return `value, err := client.GetFeatureFlag(posthog.FeatureFlagPayload{\n  Key: ${name},\n  DistinctId: distinctID,\n})`;
    case 'HTTP':
      return `curl -X POST "$HOST/ingest/flags/?v=2" \\\n  -H 'Content-Type: application/json' \\\n  -d '{"token":"PROJECT_TOKEN","distinct_id":"ID","flag_keys_to_evaluate":[${name}]}'`;
  }
}
