/**
 * British spellings folded to American ones, before stemming. Rules where the spelling is regular, a list where not.
 */

const OUR =
  /^((?:dis|un|re)?(?:arm|ard|behavi|cand|clam|col|demean|endeav|ferv|fav|flav|glam|harb|hon|hum|lab|neighb|od|parl|ranc|rig|rum|sav|splend|tum|val|vap|vig))our/
const DOUBLE_L =
  /^(cance|chance|channe|counse|de?via|dia|equa|fue|ini?tia|jewe|labe|leve|marve|mode|pane|quarre|riva|shove|signa|tota|trave|tunne|unrave|yode)ll(?=ed$|ing$|ings$|er$|ers$|or$|ors$|ous$|ously$)/
const ISE = /^([a-z]{3,})is(e|ed|es|er|ers|ing|ation|ations)$/
const YSE = /^(anal|paral|catal|electrol|dial)ys(e|ed|es|er|ers|ing)$/
const RE = /^(cent|theat|lit|fib|calib|lust|somb|spect|sab|meag|(?:kilo|centi|milli)?met)re(s|d)?$/

/** Words in -ise that are not British forms of -ize, by what stands before `is…`. */
const TRUE_ISE = new Set(
  (
    'adv advert appra apprais appr ar bra bru chast circumc compr comprom conc cru dem desp dev disgu enterpr exerc exc ' +
    'expert franch imprec improv inc l lik likew merch merchand no noi otherw parad po porpo prec prem pra prom ra ' +
    'rev surpr superv surm telev tort tra treat turquo v w clockw'
  ).split(' '),
)

const WORDS = new Map(
  (
    'grey gray,greyer grayer,programme program,programmes programs,cheque check,cheques checks,tyre tire,tyres tires,' +
    'aeroplane airplane,aeroplanes airplanes,pyjamas pajamas,defence defense,licence license,licences licenses,' +
    'offence offense,pretence pretense,practise practice,practised practiced,practising practicing,enrol enroll,' +
    'enrols enrolls,enrolment enrollment,fulfil fulfill,fulfils fulfills,fulfilment fulfillment,skilful skillful,' +
    'catalogue catalog,catalogues catalogs,dialogue dialog,dialogues dialogs,analogue analog,kerb curb,plough plow,' +
    'sceptical skeptical,sceptic skeptic,moustache mustache,judgement judgment,ageing aging,cosy cozy,doughnut donut,' +
    'doughnuts donuts,jewellery jewelry,anaemia anemia,paediatric pediatric,foetus fetus,encyclopaedia encyclopedia,' +
    'manoeuvre maneuver,mould mold,moulds molds,storey story,storeys stories,tonne ton,tonnes tons,draught draft,' +
    'yoghurt yogurt,whisky whiskey,woollen woolen,instalment installment,omelette omelet,axe ax,artefact artifact,' +
    'artefacts artifacts,orientated oriented,aluminium aluminum,travelogue travelog,favourite favorite'
  )
    .split(',')
    .map(pair => pair.split(' ') as [string, string]),
)

/** American spelling of a lower-case English word; any other word comes back as it is. */
export function americanise(word: string): string {
  if (word.length < 4) return word
  const listed = WORDS.get(word)
  if (listed !== undefined) return listed
  const our = word.replace(OUR, '$1or')
  if (our !== word) return our
  const ise = ISE.exec(word)
  if (ise && !TRUE_ISE.has(ise[1] ?? '')) return word.replace(ISE, '$1iz$2')
  return word.replace(DOUBLE_L, '$1l').replace(YSE, '$1yz$2').replace(RE, '$1er$2')
}
