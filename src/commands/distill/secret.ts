/** What is said about these is not kept, whatever else it says. "Tokens" that are counted are no secrets. */
const SPEAKS_OF_SECRETS =
  /\b(?:pass(?:words?|phrases?|codes?|wd)|pwd|secrets?|credentials?|(?:api|access|private|licen[cs]e|signing|encryption|account)[ _-]?keys?|token(?!\s+(?:limit|budget|count|window|size))|(?:access|auth|refresh|bearer|session) tokens|pin|otp|cookies?|recovery codes?|ssn)\b|密码|口令|密钥|秘钥|私钥|公钥|令牌|凭证|凭据|验证码|身份证|银行卡/iu
const MARKER = '[redacted:'
const WITH_USER = /:\/\/[^\s/@]{1,200}@|[?&](?:key|sig|signature|auth|code)=/i
/** Letters of both cases and digits in one long run, or long hex: nobody says that but as a key. */
const OPAQUE =
  /(?=[^\s/.:]{0,40}[A-Z])(?=[^\s/.:]{0,40}[a-z])(?=[^\s/.:]{0,40}\d)[A-Za-z0-9+_=-]{24,}|\b[0-9a-f]{32,}\b/

/** Whether a sentence speaks of secrets or seems to hold one. The redaction of commits comes after it in any case. */
export function touchesSecret(sentence: string): boolean {
  return (
    sentence.includes(MARKER) || SPEAKS_OF_SECRETS.test(sentence) || WITH_USER.test(sentence) || OPAQUE.test(sentence)
  )
}
