/**
 * English forms that no suffix rule brings to their base. Written as `base form form…`, one base a line.
 */
const FORMS = `
arise arose arisen
bear bore borne
beat beaten
become became
begin began begun
bend bent
bind bound
bite bit bitten
bleed bled
blow blew blown
break broke broken
breed bred
bring brought
build built
burn burnt
buy bought
catch caught
child children
choose chose chosen
cling clung
come came
creep crept
deal dealt
die died dying
dig dug
draw drew drawn
dream dreamt
drink drank drunk
drive drove driven
eat ate eaten
fall fell fallen
feed fed
feel felt
fight fought
find found
flee fled
fly flew flown flies
foot feet
forbid forbade forbidden
forget forgot forgotten
forgive forgave forgiven
freeze froze frozen
get got gotten
give gave given
go went gone goes
goose geese
grow grew grown
half halves
hang hung
hear heard
hide hid hidden
hold held
keep kept
kneel knelt
knife knives
know knew known
lay laid
lead led
leaf leaves
leap leapt
learn learnt
leave left
lend lent
lie lied lying
life lives
light lit
lose lost
loaf loaves
make made
man men
mean meant
meet met
mouse mice
mow mown
ox oxen
pay paid
person people
prove proven
ride rode ridden
ring rang rung
rise rose risen
run ran
say said
see saw seen
seek sought
sell sold
send sent
sew sewn
shake shook shaken
shelf shelves
shine shone
shoot shot
show shown
shrink shrank shrunk
sing sang sung
sink sank sunk
sit sat
sleep slept
slide slid
smell smelt
speak spoke spoken
speed sped
spell spelt
spend spent
spin spun
spring sprang sprung
stand stood
steal stole stolen
stick stuck
sting stung
strike struck stricken
strive strove striven
swear swore sworn
sweep swept
swim swam swum
swing swung
take took taken
teach taught
tear tore torn
tell told
think thought
thief thieves
throw threw thrown
tie tied tying
tooth teeth
understand understood
wake woke woken
wear wore worn
weave wove woven
weep wept
wife wives
win won
wind wound
wolf wolves
woman women
write wrote written
mathematics math maths
mother mom mum mommy mummy moms mums
father dad daddy dads
grandmother grandma granny grandmas
grandfather grandpa grandpas
photograph photo photos
telephone phone phones
television tv tvs
bicycle bike bikes
refrigerator fridge
`

/** Form → base, for folding before stemming. */
export const IRREGULAR: ReadonlyMap<string, string> = new Map(
  FORMS.trim()
    .split('\n')
    .flatMap(line => {
      const [base = '', ...forms] = line.split(' ')
      return forms.map(form => [form, base] as [string, string])
    }),
)
