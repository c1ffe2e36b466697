/** Telling what a human wrote from what they pasted: code, logs, stack traces, diffs. */

export interface Apart {
  /** What reads like their own words. */
  readonly prose: string
  /** The pasted lines, in order. */
  readonly pasted: readonly string[]
}

/** Less than this is no burden on a question, and stays in it, in characters. */
const WORTH_IT = 200

const FENCE = /^ {0,3}(`{3,}|~{3,})/

/** Lines that nobody types: a time stamp or level of a log, a frame of a stack, the head of a diff. */
const STRONG: readonly RegExp[] = [
  /^\W{0,3}\d{4}[-/.]\d\d[-/.]\d\d[T ,]{1,2}\d\d:\d\d/,
  /^\W{0,3}\d\d:\d\d:\d\d\b/,
  /^[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d /,
  /^\W{0,3}(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL|SEVERE)\b[\]:|\s]/,
  /^\s*at (?:async )?[\w$.<>[\] /-]+(?:\(|:\d)/,
  /^\s*File "[^"]*", line \d+/,
  /^(?:Traceback \(most recent|Caused by:|goroutine \d+ \[|\s*\.\.\. \d+ more\b)/,
  /^\s*(?:\d+: +0x[0-9a-f]|#\d+ +0x[0-9a-f]|--> \S+:\d+)/,
  /^[\w./\\-]+\.\w{1,5}(?::\d+){1,2}:? /,
  /^(?:diff --git |index [0-9a-f]{7}|@@ |\+\+\+ |--- [ab/])/,
]

/** Lines of code, data and output: pasted where several stand together. */
const WEAK: readonly RegExp[] = [
  /[;{}[(]\s*$/,
  /^\s*[}\])]/,
  /^\s*(?:import|export|const|let|var|function|async|def|class|public|private|protected|static|return|package|using|namespace|func|fn|impl|#include|elif|else:|try:|except|raise|throw) /,
  /^(?: {4}|\t).*[;{}()=<>[\]$]/,
  /^\s*(?:"[^"]*"|[\w.-]+)\s*[:=]\s*\S+,?$/,
  /^[\w.$]*(?:Error|Exception|panic|error(?:\[\w+\])?): /,
  /^[+-] {2,}\S/,
  /^\s*<\/?[a-z][^>]*>/i,
]

/** Takes apart a message. Linear in its length; a message with little pasted in it is all prose. */
export function setApart(text: string): Apart {
  const lines = text.split('\n')
  const marks = mark(lines)
  const pasted = lines.filter((_, at) => marks[at] === 'pasted')
  if (pasted.reduce((sum, line) => sum + line.length + 1, 0) < WORTH_IT) return { prose: text, pasted: [] }
  const prose = lines.filter((_, at) => marks[at] === 'prose').join('\n')
  return { prose: prose.replace(/\n{3,}/g, '\n\n').trim(), pasted }
}

type Mark = 'prose' | 'pasted' | 'fence'

function mark(lines: readonly string[]): Mark[] {
  const signs = lines.map(signOf)
  const marks: Mark[] = []
  let fence: string | undefined
  lines.forEach((line, at) => {
    const bar = FENCE.exec(line)?.[1]
    if (fence !== undefined) {
      const closes = bar?.[0] === fence[0] && (bar?.length ?? 0) >= fence.length
      marks.push(closes ? 'fence' : 'pasted')
      if (closes) fence = undefined
    } else if (bar !== undefined) {
      fence = bar
      marks.push('fence')
    } else {
      const sign = signs[at] ?? 0
      const beside = Math.max(signs[at - 1] ?? 0, signs[at + 1] ?? 0)
      marks.push(sign === 2 || (sign === 1 && beside > 0) ? 'pasted' : 'prose')
    }
  })
  return marks
}

/** 2 for a line that nobody types, 1 for one that may be pasted, 0 for words. */
function signOf(line: string): 0 | 1 | 2 {
  if (line === '') return 0
  const head = line.slice(0, 400)
  if (STRONG.some(sign => sign.test(head))) return 2
  if (WEAK.some(sign => sign.test(head)) || isDense(head)) return 1
  return 0
}

/** Whether a long line is mostly marks and digits, as data is and prose is not. */
function isDense(line: string): boolean {
  if (line.length < 60) return false
  const letters = line.match(/[\p{L} ]/gu)?.length ?? 0
  return letters / line.length < 0.7
}
