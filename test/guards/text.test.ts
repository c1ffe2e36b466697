/** Rules about what the text of our sources may hold. */
import { describe, expect, it } from 'vitest'
import { roomOf, type Source, sources, trackedFiles, withoutComments } from './source.ts'

const TRANSPORT = /\bfetch\s*\(|Authorization|https?:\/\/|node:https?\b|\bWebSocket\b/
/** Redaction has to name the header it takes out of texts. */
const NAMES_THE_HEADER = 'src/redaction/'
const PRIVATE = /(?:^|[\s;{.])#[a-z]\w*/m
const MOST_LINES = 350
const MACHINE_PATH = /(?:^|[\s'"`(=:])(?:\/(?:home|root|Users|work)\/[\w.-]{2,}|[A-Z]:\\Users\\)/m
const REGISTRY = /registry\.(?:npmjs|npmmirror|yarnpkg)\.|"resolved":/

const file = (text: string, path = 'src/plugin/x.ts'): Source => ({ path, text })

function transports(files: readonly Source[]): string[] {
  return files.flatMap(({ path, text }) => {
    if (roomOf(path) === 'embedding') return []
    const found = TRANSPORT.exec(withoutComments(text))?.[0]
    if (found === undefined || (path.startsWith(NAMES_THE_HEADER) && found === 'Authorization')) return []
    return [`${path}: ${found}`]
  })
}

/** Classes the host may hand out as services: those of the plugin, and whatever says that it is one. */
const isService = ({ path, text }: Source) => roomOf(path) === 'plugin' || /extends\s+Service\b/.test(text)

function privates(files: readonly Source[]): string[] {
  return files
    .filter(isService)
    .filter(({ text }) =>
      PRIVATE.test(withoutComments(text).replace(/(['"`])(?:\\.|(?!\1)[^\\])*\1|\/(?:\\.|[^/\n\\])+\/[a-z]*/g, '')),
    )
    .map(({ path }) => path)
}

function tooLong(files: readonly Source[]): string[] {
  return files.flatMap(({ path, text }) => {
    const lines = text.split('\n').length - 1
    return lines < MOST_LINES ? [] : [`${path}: ${lines}`]
  })
}

const matching = (files: readonly Source[], pattern: RegExp) =>
  files.flatMap(({ path, text }) => {
    const found = pattern.exec(text)?.[0]
    return found === undefined || path.startsWith('test/guards/') ? [] : [`${path}: ${found.trim()}`]
  })

describe('source text', () => {
  it('there is a lot of it', () => {
    expect(sources().length).toBeGreaterThan(80)
    expect(trackedFiles().length).toBeGreaterThan(sources().length)
  })

  it('only the embedding room knows a transport', () => {
    expect(transports(sources())).toEqual([])
  })

  it.each([
    "await fetch('x')",
    "'Authorization'",
    "'http://x'",
    "'https://x'",
    "import 'node:http'",
    "import 'node:https'",
  ])('the guard sees %s', text => {
    expect(transports([file(text)])).toHaveLength(1)
    expect(transports([file(text, 'src/embedding/http.ts')])).toEqual([])
    expect(transports([file(`// ${text}`)])).toEqual([])
  })

  it('no service has #private members, which a proxy of it cannot reach', () => {
    expect(privates(sources())).toEqual([])
  })

  it.each(['class A {\n  #state = 1\n}', 'return this.#state'])('the guard sees %j', text => {
    expect(privates([file(text)])).toHaveLength(1)
    expect(privates([file(`class B extends Service {}\n${text}`, 'src/readmodels/x.ts')])).toHaveLength(1)
    expect(privates([file("const a = '#state'")])).toEqual([])
    expect(privates([file(text, 'src/embedding/x.ts')])).toEqual([])
  })

  it('every file is small enough to be read', () => {
    expect(tooLong(sources())).toEqual([])
  })

  it('the guard sees a long one', () => {
    expect(tooLong([file('x\n'.repeat(350))])).toHaveLength(1)
    expect(tooLong([file('x\n'.repeat(349))])).toEqual([])
  })
})

describe('tracked files', () => {
  it('name no path of the machine they were written on', () => {
    expect(matching(trackedFiles(), MACHINE_PATH)).toEqual([])
  })

  it.each(["'/home/ada'", '(/root/desk)', ' /Users/ada', '"C:\\Users\\ada"'])('the guard sees %s', text => {
    expect(matching([file(text)], MACHINE_PATH)).toHaveLength(1)
  })

  it('name no registry', () => {
    expect(matching(trackedFiles(), REGISTRY)).toEqual([])
  })

  it.each(['"resolved": "x"', 'https://registry.npmjs.org/x'])('the guard sees %s', text => {
    expect(matching([file(text, 'package-lock.json')], REGISTRY)).toHaveLength(1)
  })
})
