import type { KeyClass } from './key.ts'

const STRONG = '密码|密碼|口令|通行码|通行碼'
const WEAK = '密钥|密鑰|秘钥|秘鑰|金鑰|令牌|私钥|私鑰|凭证|憑證|凭据|憑據|授权码|授權碼'

/** The Chinese names of secrets, in both scripts. */
export const CHINESE_KEY = `${STRONG}|${WEAK}`

const IS_STRONG = new RegExp(`^(?:${STRONG})$`)

export function classOfChinese(name: string): KeyClass {
  if (IS_STRONG.test(name)) return { kind: 'password', strong: true }
  if (name === '令牌') return { kind: 'token', strong: false }
  if (/私[钥鑰]/.test(name)) return { kind: 'private_key', strong: false }
  if (/[钥鑰]/.test(name)) return { kind: 'api_key', strong: false }
  return { kind: 'credential', strong: false }
}
