/** What to paste, with the project's token and this server's address filled in. Code, so the same in every language. Pure. */
import type { InstallMethod } from '#views/question/question.ts';

export function snippets({ token, host }: { token: string; host: string }): Record<InstallMethod, string> {
  return {
    script: `<script src="${host}/static/array.js"></script>
<script>
  posthog.init('${token}', {
    api_host: '${host}',
    defaults: '2025-05-24',
  })
</script>`,
    npm: `import posthog from 'posthog-js'

posthog.init('${token}', {
  api_host: '${host}',
  defaults: '2025-05-24',
})`,
    node: `import { PostHog } from 'posthog-node'

const client = new PostHog('${token}', {
  host: '${host}',
})`,
    component: `import { Analytics } from '@vercel/analytics/react'

<Analytics scriptSrc="${host}/va/${token}/script.js" />`,
  };
}
