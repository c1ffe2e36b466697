const WORDS =
  'gateway staging port deploy cache node owner backup window region queue replica secret policy alert'.split(' ')
const HAN = [
  '网关',
  '预发环境',
  '端口',
  '部署',
  '缓存',
  '负责人',
  '备份',
  '窗口',
  '区域',
  '队列',
  '副本',
  '策略',
  '告警',
]

/** The n-th of many distinct operational facts, every third of them Chinese. */
export function fact(n: number): string {
  const pick = <T>(list: readonly T[], salt: number): T => list[(n * 7919 + salt * 104_729) % list.length] as T
  return n % 3 === 2
    ? `${pick(HAN, 1)}${n}的${pick(HAN, 2)}在${pick(HAN, 3)}是 ${(n * 37) % 65_535}，由${pick(HAN, 4)}确认`
    : `The ${pick(WORDS, 1)} ${n} of the ${pick(WORDS, 2)} uses ${pick(WORDS, 3)} ${(n * 37) % 65_535}, see the ${pick(WORDS, 4)} notes`
}
