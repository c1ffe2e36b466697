import { isPlain, isUnmistakable, looksSecret } from './looks.ts'
import { isPlaceholder } from './placeholder.ts'
import { isAddress, isPath, isReference } from './reference.ts'
import { isPhrase, isWord } from './words.ts'

/** What is known about a value besides itself. */
export interface Setting {
  /** Nearly any value of this key is a secret. */
  readonly strong: boolean
  /**
   * `assigned` (`=`, glued or not), `stated` (`:`), `spoken` (`is`, 是, a cell of a table), `beside` (a blank or a
   * dash): how sure it is that a value follows at all.
   */
  readonly how: 'assigned' | 'stated' | 'spoken' | 'beside'
  readonly quoted: boolean
  /** Whether nothing but punctuation follows on its line, or what follows is another member. */
  readonly last: boolean
  /** Whether white space stands before it. */
  readonly apart: boolean
  /** A number that counts something: `8 characters`, `8位`. */
  readonly counts: boolean
  /** The key may name a folder: `pwd=/home/x`. */
  readonly folder: boolean
}

const SHORTEST = 3

/** Whether a value is a secret to be removed. Looks at its beginning only, so that a long one costs no more. */
export function isSecret(value: string, at: Setting): boolean {
  const head = value.slice(0, 512)
  if (head.length < SHORTEST || isPlaceholder(head) || isAddress(head)) return false
  if (!at.quoted && isReference(head)) return false
  if (at.quoted && /^(?:process\.env|import\.meta\.env|os\.environ|env\.|\$\{|\{\{)/.test(head)) return false
  if (at.folder && /^(?:[/~.]|[A-Za-z]:[\\/])/.test(head)) return false
  if (!at.folder && isPath(head) && !/\d{3}/.test(head)) return false
  if (isWord(head)) return false
  if (at.how === 'beside' && !at.quoted) return isUnmistakable(head, at.strong ? 7 : 10)
  return at.strong ? isStrongSecret(head, at) : isWeakSecret(head, at)
}

function isStrongSecret(value: string, at: Setting): boolean {
  if (/^\d+$/.test(value)) return value.length >= 4 && !at.counts
  if (/\s/.test(value)) return !isPhrase(value) && value.length >= 6
  if (/[\u3400-\u9fff]/.test(value)) return at.quoted && !SAYS.test(value)
  const lettersOnly = /^[A-Za-z][A-Za-z'’-]*[.!?]?$/.test(value)
  if (at.how === 'spoken' || at.how === 'beside') {
    const chosen = at.quoted && value.length >= 4 && (lettersOnly || /[\d!@#$%^&*]/.test(value))
    return !isPlain(value) && (chosen || looksSecret(value))
  }
  if (lettersOnly) return at.quoted ? !isLabel(value) : at.last || (at.how === 'assigned' && !at.apart)
  return at.how === 'assigned' || at.quoted || !isPlain(value)
}

/** `Password`, `newPassword` as values of a key for passwords are labels and names of fields. */
function isLabel(value: string): boolean {
  return /pass(?:word|wd|phrase)$|pwd$/i.test(value)
}

/** Chinese that speaks about a password. */
const SAYS = /请|输入|不能|必须|错误|不|至少|密码|口令|重置|忘记|修改|确认|登录|用户|规则|要求|为空|长度|设置|已|未|的/

function isWeakSecret(value: string, at: Setting): boolean {
  if (/\s/.test(value) || /[\u3400-\u9fff]/.test(value)) return false
  if (/^\d+$/.test(value)) return at.how !== 'spoken' && at.how !== 'beside' && value.length >= 10 && !at.counts
  if (looksSecret(value)) return true
  const lettersOnly = /^[A-Za-z]+$/.test(value)
  return lettersOnly && value.length >= 8 && at.how === 'assigned' && (at.quoted || !at.apart) && !isCamel(value)
}

function isCamel(value: string): boolean {
  return /^[a-z]+(?:[A-Z][a-z]+)+$|^(?:[A-Z][a-z]+){2,}$/.test(value)
}
