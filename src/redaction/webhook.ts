import type { Rule, Span } from './rule.ts'
import { WEBHOOK_PREFIXES } from './tokens/services.ts'

const HOOK = new RegExp(`(?<=(?:${WEBHOOK_PREFIXES.join('|')}))[A-Za-z0-9_@/.-]{16,}`, 'g')
const HINTS = [
  'hooks.slack.com',
  'discord',
  'open-apis/bot',
  'qyapi.weixin',
  'oapi.dingtalk',
  'ftqq.com',
  'webhook.office',
]

/** Whoever knows the address of a webhook may post to it: the part behind the service's own prefix goes. */
export const webhookRule: Rule = {
  kinds: ['webhook'],
  *find(text): Generator<Span> {
    if (!HINTS.some(hint => text.includes(hint))) return
    for (const { index: start, 0: path } of text.matchAll(HOOK)) {
      if (/\d/.test(path)) yield { start, end: start + path.length, kind: 'webhook' }
    }
  },
}
