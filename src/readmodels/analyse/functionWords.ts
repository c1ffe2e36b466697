/**
 * Words that carry a sentence, not its matter. They are cut from queries only: the index keeps them, so that a name or
 * a quotation made of them can still be found.
 */

/** English, folded, before stemming. */
export const ENGLISH_FUNCTION_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the this that these those some any each every either neither no not nor and or but if then else so than as of ' +
    'at by for from in into on onto off out over under up down to toward towards with within without about above across ' +
    'after again against along among around before behind below beneath beside between beyond during except inside near ' +
    'outside per since through throughout till until upon via am is are was were be been being do does did doing done ' +
    'has have had having can could may might must shall should will would ought i me my mine myself we us our ours ' +
    'ourselves you your yours yourself yourselves he him his himself she her hers herself it its itself they them their ' +
    'theirs themselves who whom whose which what when where why how there here also just only very too quite rather such ' +
    'same other another both all few more most many much own once ever yes yeah ok okay oh hey hi hello please let lets ' +
    'because while although though however whether like get s t m d ll re ve don doesn didn isn aren wasn weren won ' +
    'wouldn shouldn couldn haven hasn hadn'
  ).split(' '),
)

/** Chinese, simplified, longest first where one begins another. A Han run of a query is cut in two at each of them. */
export const CHINESE_FUNCTION_WORDS: readonly string[] = (
  '为什么 什么样 什么时候 什么时间 怎么样 怎么办 能不能 有没有 是不是 会不会 可不可以 多少钱 请问 告诉 知道 什么 哪些 哪个 哪里 哪儿 哪位 哪种 哪家 ' +
  '哪年 哪天 哪一 怎么 怎样 如何 为何 何时 何地 何处 多少 多久 几个 是否 可以 需要 应该 必须 能否 这个 那个 这些 那些 我们 你们 他们 她们 ' +
  '它们 咱们 自己 一下 关于 以及 或者 还是 但是 因为 所以 如果 然后 的话 时候 帮我 请你'
)
  .split(' ')
  .sort((a, b) => b.length - a.length)

/** Single characters that stand for grammar wherever they stand: a query's run is cut at them. */
export const CHINESE_CUT_CHARS: ReadonlySet<string> = new Set('的了吗呢吧啊呀嘛么哪谁')

/**
 * Single characters that stand in any text: alone they bring nothing in. (学, 猫, 店 do: many Chinese words of daily life have
 * one character, and a question puts other characters beside it.)
 */
export const CHINESE_COMMON_CHARS: ReadonlySet<string> = new Set(
  '一二两三几不个上下中里内外前后在是有没也都就还又再只才最更太很真好大小多少这那我你您他她它们人来去到说要会能可想得着过给把被让从跟和与对为以及或而但因所于向将等年月日天时点号家做用看吃出起',
)
