/**
 * AI assistants by what their visitors bring: the domain of the web app, the Android package as the referrer, or the `utm_source` that
 * the assistant writes into its links. Compiled on 25 November 2026 from the web addresses and the Play Store ids that the makers publish;
 * one list, so that a new assistant is one line. Raise `rulesVersion` (channel.ts) with it.
 */
export const aiAssistants = `
  chatgpt chatgpt.com chat.openai.com openai openai.com com.openai.chatgpt
  claude claude.ai anthropic com.anthropic.claude
  perplexity perplexity.ai perplexity-ai ai.perplexity.app.android
  gemini gemini.google.com bard.google.com notebooklm.google.com com.google.android.apps.bard
  copilot copilot.com copilot.microsoft.com copilot.cloud.microsoft m365.cloud.microsoft m365copilot.com com.microsoft.copilot
  deepseek deepseek.com chat.deepseek.com com.deepseek.chat
  grok grok.com ai.x.grok
  meta.ai com.facebook.stella
  mistral mistral.ai chat.mistral.ai ai.mistral.chat
  qwen qwen.ai chat.qwen.ai tongyi.aliyun.com qianwen.com
  kimi kimi.com kimi.ai kimi.moonshot.cn com.moonshot.kimichat
  doubao doubao.com com.larus.nova
  chatglm.cn chat.z.ai z.ai yiyan.baidu.com ernie.baidu.com yuanbao.tencent.com
  poe poe.com you.com phind phind.com duck.ai lumo.proton.me
  genspark genspark.ai manus.im felo.ai iask.ai andisearch.com komo.ai pi.ai character.ai
  chat.maritaca.ai`;
