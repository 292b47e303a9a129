/** `base: forms` of the irregular verbs; regular doubling (`stopped`, `running`) is a rule. */
export const irregularVerbs = `
be: am is are was were been being
have: has had having
do: does did done
go: goes went gone
arise: arose arisen
awake: awoke awoken
bear: bore borne born
beat: beaten
become: became
befall: befell befallen
begin: began begun
behold: beheld
bend: bent
beseech: besought
bid: bade bidden
bind: bound
bite: bit bitten
bleed: bled
blow: blew blown
break: broke broken
breed: bred
bring: brought
build: built
burn: burnt
buy: bought
catch: caught
choose: chose chosen
cling: clung
come: came
creep: crept
deal: dealt
die: dying
dig: dug
draw: drew drawn
dream: dreamt
drink: drank drunk
drive: drove driven
dwell: dwelt
eat: ate eaten
fall: fell fallen
feed: fed
feel: felt
fight: fought
find: found
flee: fled
fling: flung
fly: flew flown
forbid: forbade forbidden
foresee: foresaw foreseen
forget: forgot forgotten
forgive: forgave forgiven
forsake: forsook forsaken
freeze: froze frozen
get: got gotten
give: gave given
grind: ground
grow: grew grown
hang: hung
hear: heard
hide: hid hidden
hold: held
keep: kept
kneel: knelt
know: knew known
lay: laid
lead: led
lean: leant
leap: leapt
learn: learnt
leave: left
lend: lent
lie: lay lain lying
light: lit
lose: lost
make: made
mean: meant
meet: met
mistake: mistook mistaken
mow: mown
outdo: outdid outdone
overcome: overcame
overtake: overtook overtaken
overthrow: overthrew overthrown
pay: paid
plead: pled
prove: proven
rend: rent
ride: rode ridden
ring: rang rung
rise: rose risen
run: ran
saw: sawn
say: said
see: saw seen
seek: sought
sell: sold
send: sent
sew: sewn
shake: shook shaken
shear: shorn
shine: shone
shoot: shot
show: shown
shrink: shrank shrunk
sing: sang sung
sink: sank sunk
sit: sat
slay: slew slain
sleep: slept
slide: slid
sling: slung
slink: slunk
smell: smelt
sow: sown
speak: spoke spoken
speed: sped
spell: spelt
spend: spent
spill: spilt
spin: spun
spit: spat
spoil: spoilt
spring: sprang sprung
stand: stood
steal: stole stolen
stick: stuck
sting: stung
stink: stank stunk
stride: strode stridden
strike: struck stricken
string: strung
strive: strove striven
swear: swore sworn
sweep: swept
swell: swollen
swim: swam swum
swing: swung
take: took taken
teach: taught
tear: tore torn
tell: told
think: thought
throw: threw thrown
tread: trod trodden
undergo: underwent undergone
understand: understood
undertake: undertook undertaken
undo: undid undone
uphold: upheld
wake: woke woken
wear: wore worn
weave: wove woven
weep: wept
win: won
wind: wound
withdraw: withdrew withdrawn
withhold: withheld
withstand: withstood
wring: wrung
write: wrote written
`

/** `base: forms` of the adjectives and adverbs that are compared by other words. */
export const irregularComparisons = `
good: better best
bad: worse worst
far: farther farthest further furthest
little: less least
many: more most
well: better best
badly: worse worst
old: elder eldest
`
