import type { Rule, Span } from '../rule.ts'
import { secretIn } from './found.ts'
import { classOf } from './key.ts'
import { Values } from './value.ts'

const ACCOUNT =
  /(?:(?<![A-Za-z])logins?|账号|帐号|账户|帳號|用户名|用戶名)[ \t]{0,2}(?:[:：]|是|为)?[ \t]{0,2}[A-Za-z0-9_.@-]{1,60}[ \t]?[/|][ \t]?/gi
const PASSWORD = classOf('password')

/** `login: admin / …`, `账号 admin/…`: a password that only its neighbour names. */
export const accountRule: Rule = {
  kinds: [PASSWORD.kind],
  *find(text): Generator<Span> {
    let values: Values | undefined
    for (const { index, 0: whole } of text.matchAll(ACCOUNT)) {
      values ??= new Values(text)
      const span = secretIn(text, values, PASSWORD, { value: values.at(index + whole.length), how: 'beside' })
      if (span !== undefined) yield span
    }
  },
}
