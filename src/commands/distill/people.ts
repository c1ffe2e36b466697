/** Who can own something: a name, a handle, a team. As sources of patterns, case kept. */
const NOBODY = String.raw`(?!(?:Only|Even|Just|Also|Today|Now|The|This|That|It|Its|Every\w*|Nobody|Some\w*|Any\w*|We|I|You|He|She|They|One|Unknown|Not|None|Null|No|TBD|A|An|There|Here|Who|What|Which|My|Your|Our|Their|His|Her|All|Each|Another|But|And|If|Then)\b)`
const GIVEN = String.raw`\p{Lu}[\p{Ll}\p{Lu}'-]*\p{Ll}`
const TEAM = String.raw`(?:[\p{L}\p{N}&/-]+ ){1,2}(?:team|squad|guild|group|crew|department)(?!\w)`
export const OWNER = String.raw`${NOBODY}(?:${TEAM}|${GIVEN}(?: ${GIVEN}){0,2})|@[\w-]{2,}`

const SURNAMES =
  '王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤温康施文牛樊葛邢安齐易乔伍庞颜倪庄聂章鲁岳翟殷詹申欧耿关兰焦俞左柳甘祝包宁尚符舒阮柯纪梅童凌毕单季裴霍涂成苗谷盛曲翁冉骆蓝路游辛靳欧阳'
/** Common words that begin like a name. */
const NO_NAME =
  '(?!任何|任意|全|高度|方面|方便|成功|成员|文件|文档|安全|安排|章程|单独|单位|关于|关键|于是|何|万一|严格|路由|程序|金额|石头|黄色|白天|白色|温度|左边|易用|向上|向下|包括|申请|尚|成本|江湖|武器|季度|和|贵|谷歌|万维|方案|高级|高层|周[一二三四五六日天末期]|于|莫非|曲折|段落|游戏|时)'
/** Han names have no edge: what comes next has to be none of it. */
const ENDED = String.raw`(?=$|[^\p{Script=Han}]|来?(?:负责|维护|管理|牵头|主管|跟进|管)|现在|目前)`
const CHINESE_NAME = `${NO_NAME}(?:欧阳|司马|上官|诸葛|夏侯|东方|皇甫|尉迟|公孙|慕容|令狐|[老小阿]?[${SURNAMES}])\\p{Script=Han}{1,2}?${ENDED}`
const TITLED = `[${SURNAMES}](?:工|总|经理|老师|主任)|[老小][${SURNAMES}](?!\\p{Script=Han})`
const CHINESE_TEAM = String.raw`(?:(?![的由和与是])[\p{Script=Han}A-Za-z]){1,8}?(?:小组|团队|部门|中心|组|部)`
export const OWNER_CHINESE = `(?:${CHINESE_TEAM}|${CHINESE_NAME}|${TITLED}|${NOBODY}${GIVEN}(?: ${GIVEN})?|@[\\w-]{2,})`
