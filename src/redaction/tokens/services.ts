import { hasDigit, isMixed, type TokenForm } from './token.ts'

/** Tokens of messaging, mail and payment services. Addresses that carry their own authority count as tokens. */
export const SERVICE_TOKENS: readonly TokenForm[] = [
  { kind: 'slack_token', hints: ['xox'], body: 'xox[a-z](?:\\.xox[a-z])?-[A-Za-z0-9-]{10,}', accept: hasDigit },
  { kind: 'slack_token', hints: ['xapp-'], body: 'xapp-\\d-[A-Za-z0-9-]{20,}' },
  { kind: 'stripe_key', hints: ['sk_', 'rk_'], body: '[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,}', accept: hasDigit },
  { kind: 'stripe_key', hints: ['whsec_'], body: 'whsec_[A-Za-z0-9+/]{20,}={0,2}', accept: hasDigit },
  { kind: 'twilio_key', hints: ['SK'], body: 'SK[0-9a-f]{32}(?![A-Za-z0-9])' },
  { kind: 'sendgrid_key', hints: ['SG.'], body: 'SG\\.[A-Za-z0-9_-]{16,64}\\.[A-Za-z0-9_-]{16,}' },
  { kind: 'mailgun_key', hints: ['key-'], body: 'key-[0-9a-f]{32}(?![A-Za-z0-9])' },
  { kind: 'mailchimp_key', hints: ['-us'], body: '[0-9a-f]{32}-us\\d{1,2}(?![A-Za-z0-9])' },
  { kind: 'brevo_key', hints: ['xkeysib-', 'xsmtpsib-'], body: 'x(?:key|smtp)sib-[0-9a-f]{64}-[A-Za-z0-9]{10,}' },
  { kind: 'resend_key', hints: ['re_'], body: 're_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}', accept: isMixed },
  { kind: 'telegram_token', hints: [':AA'], body: '\\d{8,10}:AA[A-Za-z0-9_-]{32,}' },
  {
    kind: 'discord_token',
    hints: ['.'],
    probe: /\.(?<=[MNO][A-Za-z0-9_-]{23,27}\.)/,
    body: '[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,}',
    accept: isMixed,
  },
  { kind: 'shopify_token', hints: ['shp'], body: 'shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32,}' },
  { kind: 'square_token', hints: ['sq0'], body: 'sq0[a-z]{3}-[A-Za-z0-9_-]{22,}' },
  { kind: 'facebook_token', hints: ['EAA'], body: 'EAA[A-Za-z0-9]{90,}', accept: isMixed },
  { kind: 'mapbox_token', hints: ['sk.eyJ'], body: 'sk\\.eyJ[A-Za-z0-9_-]{20,}\\.[A-Za-z0-9_-]{10,}' },
  {
    kind: 'paypal_token',
    hints: ['access_token$'],
    body: 'access_token\\$(?:production|sandbox)\\$[0-9a-z]{13,}\\$[0-9a-f]{32}',
  },
  { kind: 'dingtalk_secret', hints: ['SEC'], body: 'SEC[0-9a-f]{64}(?![A-Za-z0-9])' },
]

/** What comes after the part of a webhook's address that says whose it is. */
export const WEBHOOK_PREFIXES: readonly string[] = [
  'hooks\\.slack\\.com/(?:services|workflows|triggers)/',
  '(?:ptb\\.|canary\\.)?discord(?:app)?\\.com/api/(?:v\\d+/)?webhooks/',
  'open\\.(?:feishu\\.cn|larksuite\\.com)/open-apis/bot/v2/hook/',
  'qyapi\\.weixin\\.qq\\.com/cgi-bin/webhook/send\\?key=',
  'oapi\\.dingtalk\\.com/robot/send\\?access_token=',
  'sctapi\\.ftqq\\.com/',
  '[a-z0-9-]{1,63}\\.webhook\\.office\\.com/',
]
