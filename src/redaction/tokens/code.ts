import { hasDigit, isMixed, type TokenForm } from './token.ts'

/** Tokens of code hosts, package registries and build services. */
export const CODE_TOKENS: readonly TokenForm[] = [
  { kind: 'github_token', hints: ['github_pat_'], body: 'github_pat_[A-Za-z0-9_]{22,}' },
  { kind: 'github_token', hints: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], body: 'gh[pousr]_[A-Za-z0-9]{30,}' },
  {
    kind: 'gitlab_token',
    hints: ['gl'],
    body: 'gl[a-z]{2,7}-(?:t\\d_)?[A-Za-z0-9_-]{20,}(?:\\.[A-Za-z0-9_-]{2,})*',
    accept: isGitlab,
  },
  { kind: 'gitlab_token', hints: ['GR1348941'], body: 'GR1348941[A-Za-z0-9_-]{20,}' },
  {
    kind: 'atlassian_token',
    hints: ['ATATT3', 'ATCTT3', 'ATBB'],
    body: 'AT(?:ATT3|CTT3|BB)[A-Za-z0-9_=-]{24,}',
    accept: isMixed,
  },
  { kind: 'npm_token', hints: ['npm_'], body: 'npm_[A-Za-z0-9]{36,}' },
  { kind: 'pypi_token', hints: ['pypi-Ag'], body: 'pypi-Ag[A-Za-z0-9_-]{40,}' },
  { kind: 'rubygems_token', hints: ['rubygems_'], body: 'rubygems_[0-9a-f]{48}' },
  { kind: 'crates_token', hints: ['cio'], body: 'cio[A-Za-z0-9]{32}(?![A-Za-z0-9])', accept: isMixed },
  { kind: 'nuget_key', hints: ['oy2'], body: 'oy2[a-z0-9]{43}(?![A-Za-z0-9])', accept: hasDigit },
  { kind: 'docker_token', hints: ['dckr_'], body: 'dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}' },
  { kind: 'postman_key', hints: ['PMAK-'], body: 'PMAK-[0-9a-f]{24}-[0-9a-f]{34}' },
  { kind: 'linear_key', hints: ['lin_'], body: 'lin_(?:api|oauth|wh)_[A-Za-z0-9]{32,}' },
  { kind: 'figma_token', hints: ['fig'], body: 'fig[dour]_[A-Za-z0-9_-]{36,}', accept: hasDigit },
  {
    kind: 'notion_token',
    hints: ['ntn_', 'secret_'],
    body: '(?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43}(?![A-Za-z0-9]))',
    accept: hasDigit,
  },
  { kind: 'airtable_token', hints: ['pat'], body: 'pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}' },
  { kind: 'onepassword_token', hints: ['ops_eyJ'], body: 'ops_eyJ[A-Za-z0-9_-]{80,}={0,2}' },
]

function isGitlab(token: string): boolean {
  return /^gl(?:pat|dt|rt|ptt|ft|imt|agent|soat|cbt|oas|ffct|trt|wt|ci)-/.test(token) && hasDigit(token)
}
