import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asks, questionOf } from '../../../src/plugin/injection/question.ts'
import { agentIn, recalledIn, rig } from '../rig.ts'

const ENGLISH_LOG = `\`\`\`
2026-11-30T21:15:00.120Z INFO  [main] boot: loading /srv/app/config/base.yaml pid=4711
2026-11-30T21:15:01.220Z ERROR [pool-3] svc-billing: KST-4821 connection refused 10.0.0.5:6543 attempt 17 of 20
TypeError: cannot read properties of undefined (reading 'port')
    at connect (/srv/app/src/net/connector.ts:120:17)
    at Module._compile (node:internal/modules/cjs/loader:1256:14)
    at run (/srv/app/node_modules/pg/lib/client.js:11:2)
\`\`\``
const CHINESE_TRACE = `2026-11-30 21:15:00 错误 支付网关 连接超时 ERR_5521 重试 3 次
2026-11-30 21:15:02 信息 支付网关 正在重启
java.lang.IllegalStateException: 连接池耗尽
\tat com.acme.pay.Gateway.open(Gateway.java:88)
\tat java.base/java.lang.Thread.run(Thread.java:829)
Caused by: com.acme.db.PoolExhaustedException: limit 20
2026-11-30 21:15:03 信息 支付网关 正在重启，第 4 次，请稍候`

/** Messages with something pasted: what is asked, and the names that must and must not be looked for. */
const PASTED: ReadonlyArray<[string, string, string, RegExp[], RegExp[]]> = [
  [
    'a fenced log',
    `Why does the deploy of Kestrel fail?\n\n${ENGLISH_LOG}`,
    'Why does the deploy of Kestrel fail?',
    [
      /KST-4821/,
      /\bconnector\.ts\b/,
      / \/srv\/app\/src\/net\/connector\.ts /,
      /10\.0\.0\.5:6543/,
      /connection refused/,
    ],
    [/2026-11-30/, /4711/, /node:internal/, /120:17/],
  ],
  [
    'a log without a fence',
    `Why does the deploy of Kestrel fail?\n${ENGLISH_LOG.replaceAll('```', '')}\nThanks!`,
    'Why does the deploy of Kestrel fail?\n\nThanks!',
    [/KST-4821/, /connector\.ts/],
    [/21:15/],
  ],
  [
    'a Chinese log and a Java trace',
    `部署一直失败，帮我看看是什么原因？\n${CHINESE_TRACE}`,
    '部署一直失败，帮我看看是什么原因？',
    [/ERR_5521/, /Gateway\.java/, /PoolExhaustedException/, /支付网关 连接超时/],
    [/2026-11-30/, /:88/],
  ],
  [
    'a Python traceback',
    `${[
      'Traceback (most recent call last):',
      '  File "/app/jobs/nightly.py", line 31, in <module>',
      '    main(arguments, environment, retries=3)',
      '  File "/app/jobs/store.py", line 112, in open',
      '    raise StoreLockedError("held by another process")',
      'jobs.store.StoreLockedError: held by another process',
    ].join('\n')}\n\nWhat did we do about this last time?`,
    'What did we do about this last time?',
    [/nightly\.py/, /store\.py/, /StoreLockedError/],
    [/line 31/],
  ],
  [
    'code',
    `How is this wired?\n~~~ts\n${"export const route = (request: Request): Response => handle(request, 'svc-gamma');\n".repeat(5)}~~~`,
    'How is this wired?',
    [/svc-gamma/],
    [/Response/],
  ],
]

describe('a message with something pasted', () => {
  it.each(PASTED)('%s: its own words are the question, the names in it are kept', (_, text, words, kept, left) => {
    const question = questionOf(text)
    expect(question.words).toBe(words)
    for (const name of kept) expect(` ${question.names} `).toMatch(name)
    for (const noise of left) expect(question.names).not.toMatch(noise)
  })

  it('the names of one paste are a handful, however long it is', () => {
    const lines = Array.from({ length: 2_000 }, (_, n) => `2026-11-30 21:15:00 WARN svc-${n} file${n}.ts ERR_${n} x`)
    expect(questionOf(`why?\n${lines.join('\n')}`).names.length).toBeLessThan(2_000)
  })
})

describe('a message without', () => {
  it.each([
    'where is the runbook?',
    'the drawer\n\nwhere is the runbook?',
    '- first point\n- second point: 3 of 4\n    - below it\n\nwhat do you think?',
    '2026-11-30 21:15:00 the server went down, why?',
    '端口是多少？\n我记得是 6543。',
    'what does `foo();` do?\nI mean foo(bar);',
    'Error: what is that supposed to mean',
  ])('is its own question, whole: %j', text => {
    expect(questionOf(text)).toEqual({ words: text, names: '' })
  })

  it('that is long is reduced to its ends and what it asks; names are not lost', () => {
    const talk = 'The history of it is long and winding. '
    const text = `I am new here. ${talk.repeat(60)}We once had SQLITE_BUSY in store.ts. ${talk.repeat(60)}Which port does staging use? ${talk.repeat(9)}Thank you.`
    const { words, names } = questionOf(text)
    expect(words.length).toBeLessThan(1_300)
    for (const part of ['I am new here.', 'Which port does staging use?', 'Thank you.']) expect(words).toContain(part)
    expect(names).toBe('SQLITE_BUSY store.ts')
  })

  it('that is long and Chinese, too', () => {
    const talk = '这件事的来龙去脉说来话长。'
    const { words } = questionOf(`我是新来的。${talk.repeat(80)}测试环境的端口是多少？${talk.repeat(80)}谢谢。`)
    expect(words.length).toBeLessThan(1_300)
    expect(words).toContain('测试环境的端口是多少？')
  })
})

describe('any message', () => {
  const piece = fc.constantFrom(
    '```',
    '\n',
    '    ',
    'a.b:c/',
    '0',
    '用',
    '😀',
    '\ud83d',
    '"',
    '{',
    ';',
    '?',
    'xError',
    '\t',
  )

  it('is reduced to no more than it was, well formed where it was, and the same each time', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 400 }), pieces => {
        const text = pieces.join('')
        const question = questionOf(text)
        expect(question.words.length).toBeLessThanOrEqual(Math.max(text.length, 1_300))
        expect(questionOf(text)).toEqual(question)
      }),
    )
  })

  it.each([
    'x',
    '用',
    '"',
    'a.b:c/',
    '0',
    'a ',
    '    a;\n',
    'aaError',
    'at a',
    '/',
    ' ',
    '\n',
    '<a',
    '[',
    '"a":"b",',
    '-',
  ])('of 32,000 characters takes no time: %j', piece => {
    const text = piece.repeat(Math.floor(32_000 / piece.length))
    questionOf(text)
    // Processor time: the machine may be busy with something else.
    const started = process.cpuUsage()
    questionOf(text)
    const { user, system } = process.cpuUsage(started)
    expect((user + system) / 1_000).toBeLessThan(200)
  })
})

describe('whether a text asks', () => {
  it.each([
    'which port is it',
    'Tell me the port of KX-9.',
    '端口是多少',
    'KX-9 的端口呢',
    'ok. and KX-9?',
    '请查一下 KX-9',
  ])('it does: %j', text => expect(asks(text)).toBe(true))
  it.each(['fix src/foo.ts', 'I moved KX-9 to the shelf.', '把 KX-9 放到架子上。', 'run it'])('it does not: %j', text =>
    expect(asks(text)).toBe(false),
  )
})

describe('with a paste', () => {
  it('both what is asked and what the paste names are recalled, what is asked first', async () => {
    const { host, server, memory } = await rig()
    const { session } = await agentIn(host)
    const asked = 'Kestrel is deployed by the blue pipeline'
    const named = 'KST-4821 means that the certificate has run out'
    // What a log is full of must not push it out.
    const noise = Array.from({ length: 12 }, (_, n) => `note ${n}: base.yaml was touched`)
    for (const text of [...noise, named, asked]) await memory.commit({ text }, { session })
    await host.runTurn(await agentIn(host), `Which pipeline deploys Kestrel?\n\n${ENGLISH_LOG}`)
    const [text = ''] = recalledIn(server)
    expect(text.indexOf(asked)).toBeGreaterThan(0)
    expect(text.indexOf(named)).toBeGreaterThan(text.indexOf(asked))
  })
})
