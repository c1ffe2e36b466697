import { hasDigit, isMixed, type TokenForm } from './token.ts'

/** Keys of model providers. Plain `sk-` is shared by many of them; it is named after the one it is best known for. */
export const MODEL_TOKENS: readonly TokenForm[] = [
  { kind: 'anthropic_key', hints: ['sk-ant-'], body: 'sk-ant-[A-Za-z0-9_-]{16,}', accept: hasDigit },
  { kind: 'openrouter_key', hints: ['sk-or-'], body: 'sk-or-(?:v\\d-)?[A-Za-z0-9_-]{20,}', accept: hasDigit },
  { kind: 'deepseek_key', hints: ['sk-'], body: 'sk-[0-9a-f]{32}(?![A-Za-z0-9])', accept: hasDigit },
  {
    kind: 'openai_key',
    hints: ['sk-', 'sess-'],
    body: '(?:sk-(?:proj|svcacct|admin|None|service|user|live|test)-[A-Za-z0-9_-]{16,}|sk-[a-z]{2,8}-[A-Za-z0-9]{24,}|(?:sk|sess)-[A-Za-z0-9]{20,})',
    accept: hasDigit,
  },
  { kind: 'google_key', hints: ['AIza'], body: 'AIza[A-Za-z0-9_-]{30,}' },
  { kind: 'huggingface_token', hints: ['hf_', 'api_org_'], body: '(?:hf_|api_org_)[A-Za-z0-9]{30,}' },
  { kind: 'xai_key', hints: ['xai-'], body: 'xai-[A-Za-z0-9]{40,}', accept: hasDigit },
  { kind: 'groq_key', hints: ['gsk_'], body: 'gsk_[A-Za-z0-9]{30,}', accept: hasDigit },
  { kind: 'perplexity_key', hints: ['pplx-'], body: 'pplx-[A-Za-z0-9]{30,}', accept: hasDigit },
  { kind: 'replicate_token', hints: ['r8_'], body: 'r8_[A-Za-z0-9]{30,}', accept: hasDigit },
  { kind: 'nvidia_key', hints: ['nvapi-'], body: 'nvapi-[A-Za-z0-9_-]{40,}', accept: hasDigit },
  { kind: 'langsmith_key', hints: ['lsv2_'], body: 'lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}' },
  { kind: 'tavily_key', hints: ['tvly-'], body: 'tvly-[A-Za-z0-9_-]{20,}', accept: hasDigit },
  { kind: 'pinecone_key', hints: ['pcsk_'], body: 'pcsk_[A-Za-z0-9_]{40,}' },
  { kind: 'jina_key', hints: ['jina_'], body: 'jina_[A-Za-z0-9_-]{40,}', accept: isMixed },
  {
    kind: 'zhipu_key',
    hints: ['.'],
    probe: /\.(?<=[0-9a-f]{32}\.)/,
    body: '[0-9a-f]{32}\\.[A-Za-z0-9]{16}(?![A-Za-z0-9.])',
    accept: isMixed,
  },
]
