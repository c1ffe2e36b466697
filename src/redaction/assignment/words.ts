/**
 * Words that follow the name of a secret without being one: types, states, verbs of code, verbs and adjectives of
 * prose. In lower case.
 */
const WORDS = new Set(
  `
  string str text number integer int bool boolean buffer bytes byte object any unknown never void char varchar nvarchar
  uuid json secretstr securestring hash hashed field input type types option optional some none null nil undefined nan
  true false yes no on off empty blank default defaults required mandatory missing invalid valid wrong correct incorrect
  expired expires expiry changed changes change reset resets rotated rotating rotate revoked stored saved set unset sent
  send encrypted encrypt decrypted salted plaintext masked hidden shown visible redacted removed deleted disabled enabled
  deprecated supported unsupported used unused needed generated created updated provided given asked typed entered known
  ok okay fine good bad weak strong long short same different new old other both either neither not nothing never always
  only still also now then here there this that these those it its is are was were be been being will would should must
  may might can could shall do does did has have had a an the and or but if when where which who what why how for from in
  into of to with without by at as per via over under about after before because so than too very more less least most
  all each every first last next previous current read write admin-only todo tbd pending unknown failed failure error
  errors success successful successfully handling handler management manager policy policies rule rules prompt prompts
  page form link links email emails mail flow screen dialog file files path paths name names id ids value values key keys
  length size limit limits count counts bucket buckets ring budget budgets usage window santa sauce service services store
  storage provider providers vault manager length strength hint hints hash hashes hashing validation validator check
  checks rotation refresh expiry lifetime await async new function return const let var get getenv require import
  process self this lambda func fn def class typeof instanceof in case switch throw yield bearer basic digest token
  tokens secret secrets password passwords passwd passphrase credential credentials authorization authentication auth
  configured config configuration env environment variable variables literal constant param parameter params argument args
  query header headers body cookie cookies session sessions payload request requests response kubernetes docker
  opaque private public shared protected readonly static final nullable varchar2 nonnull interface enum union
  flag option switch contain contains contained one uppercase lowercase upper lower letter letters character characters digit digits symbol
  symbols special match matches mismatch minimum maximum please enter your user users username login logout signin signup forgot forgotten confirm confirmation
  placeholder example sample auto automatic manual manually random rotating short-lived long-lived one-time
  `
    .trim()
    .split(/\s+/),
)

/** Names of algorithms and formats, which hold digits as keys do, alone or with what is often joined to them. */
const ALGORITHM = new RegExp(
  String.raw`^(?:(?:aes|rsa|sha|md|hs|rs|es|ps|utf|x|ipv|http|sm|p|ed|ec|ecdsa|secp|base|blake|argon|hmac|pbkdf|chacha|poly|curve|erc|des)[-_]?\d{1,5}[a-z]{0,4}\d{0,2}|bcrypt|scrypt|hmac|jwt|oauth\d?|oidc|saml|totp|[2m]fa|k8s|s3|ec2)` +
    String.raw`(?:[-_/](?:cbc|gcm|ctr|ecb|hmac|rsa|sha\d*|aes|md5|hash|hashed|encrypted|encoded|based|signed|protected|salted|format|bits?|id|k1|r1|\d{1,5})){0,4}$`,
  'i',
)

export function isWord(value: string): boolean {
  const lower = value.toLowerCase().replace(/^[&*]/, '')
  return WORDS.has(lower) || ALGORITHM.test(value)
}

/** Whether words read as a sentence or a label rather than as a passphrase: many of them are known here. */
export function isPhrase(value: string): boolean {
  const words = value.split(/[^A-Za-z'’]+/).filter(word => word !== '')
  return words.filter(isWord).length * 5 >= words.length * 2
}
