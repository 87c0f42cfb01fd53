/** Every way to send events, with the project's token and this server's address filled in. Code, so the same in every language. Pure. */
import { snippets } from './snippets.ts';

export const snippetGroups = [
  'script',
  'npm',
  'react',
  'next',
  'node',
  'component',
  'gtm',
  'others',
  'curl',
  'consent',
] as const;
export type SnippetGroup = (typeof snippetGroups)[number];

export function allSnippets({ token, host }: { token: string; host: string }): Record<SnippetGroup, string> {
  return {
    ...snippets({ token, host }),
    react: `import { PostHogProvider } from 'posthog-js/react'

<PostHogProvider apiKey="${token}" options={{ api_host: '${host}', defaults: '2025-05-24' }}>
  <App />
</PostHogProvider>`,
    next: `import posthog from 'posthog-js'

posthog.init('${token}', {
  api_host: '${host}',
  defaults: '2025-05-24',
})`,
    gtm: `<script>
  (function () {
    var script = document.createElement('script')
    script.src = '${host}/static/array.js'
    script.onload = function () {
      posthog.init('${token}', { api_host: '${host}', defaults: '2025-05-24' })
    }
    document.head.appendChild(script)
  })()
</script>`,
    others: `iOS            PostHogConfig(apiKey: "${token}", host: "${host}")
Android        PostHogAndroidConfig(apiKey = "${token}", host = "${host}")
Flutter        PostHogConfig('${token}')..host = '${host}'
React Native   <PostHogProvider apiKey="${token}" options={{ host: '${host}' }}>
Python         Posthog('${token}', host='${host}')
Ruby           PostHog::Client.new({ api_key: '${token}', host: '${host}' })
PHP            PostHog::init('${token}', ['host' => '${host}']);
Go             posthog.NewWithConfig("${token}", posthog.Config{Endpoint: "${host}"})`,
    curl: `curl ${host}/i/v0/e/ \\
  --json '{"api_key":"${token}","event":"hello","distinct_id":"my-terminal"}'`,
    consent: `posthog.init('${token}', {
  api_host: '${host}',
  defaults: '2025-05-24',
  opt_out_capturing_by_default: true,
  opt_out_persistence_by_default: true,
})

// When the visitor agrees:
posthog.opt_in_capturing()

// When they refuse, or change their mind:
posthog.opt_out_capturing()`,
  };
}

/** How a site passes the paths on, so that visitors only speak to it. */
export function proxySnippet(host: string): string {
  const { origin, pathname } = new URL(host);
  return `# nginx
location ${pathname}/ {
  proxy_pass ${origin}${pathname}/;
  proxy_set_header X-Forwarded-For $remote_addr;
}

// next.config.js
skipTrailingSlashRedirect: true,
rewrites: async () => [
  { source: '${pathname}/:path*', destination: '${host}/:path*' },
],`;
}
