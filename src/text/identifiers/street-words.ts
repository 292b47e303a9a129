import { wordSet } from "./query-text.ts"

/** Suffixes that mean street and little else. */
export const strongSuffixes = wordSet(`
  street avenue ave av road rd boulevard blvd lane ln parkway pkwy crescent cres mews turnpike tpke expressway alley
`)

/**
 * Suffixes that also mean other things. The word after them, or a house number that is a year, can rule an address out.
 */
export const weakSuffixes = wordSet(`
  st str dr drive way court ct circle cir square sq place pl terrace ter trail trl loop plaza cove grove gardens
  xing path
`)

/**
 * Suffixes that count only before a zip code, a state, a unit or a comma, or at the end of the query after a one-word
 * name.
 */
export const rareSuffixes = wordSet(
  "run walk row close pass point pt ridge view green hill gate rise bend park highway hwy landing crossing",
)

export const unitWords = wordSet("apt apartment unit suite ste room rm flat floor fl lot bldg building trailer #")

export const stateWords = wordSet(`
  al ak az ar ca co ct de fl ga hi id il in ia ks ky la me md ma mi mn ms mo mt ne nv nh nj nm ny nc nd oh ok or pa ri
  sc sd tn tx ut vt va wa wv wi wy dc on qc bc ab mb sk ns nb nl pe uk usa
  alabama alaska arizona arkansas california colorado connecticut delaware florida georgia hawaii idaho illinois
  indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota mississippi missouri montana
  nebraska nevada ohio oklahoma oregon pennsylvania tennessee texas utah vermont virginia washington wisconsin wyoming
  ontario quebec alberta manitoba saskatchewan new north south west rhode
`)

/** Words that are not street names and often come between numbers and nouns: little words, units, things for sale. */
export const notStreetNames = wordSet(`
  a an and are as at be best biggest buy by can cheap do does for free from get go good great had has have how i if in
  into is it its just like me more most my near no not off on or our out over per so than that their them then there
  these they things this to too top under up us used vs was we what when where which who why will with without you
  your amp amps bar bath baths bed bedroom bedrooms bit btu cc cent cents channel chapter cm cu cubic cup cups
  cylinder day days degree degrees disc disk dollar dollars door doors dpi dvd ed edition episode episodes euro feet
  flash foot ft gal gallon gallons gauge gb gig ghz gram grams hard hour hours hp hr hrs inch inches kb kg km kva kw
  lb lbs level liter liters litre man mb men meter meters mg mhz mile miles min mins minute minutes ml mm month months
  mp mph mpg ounce oz pack pc people percent person piece pieces pin players pm am port pound pounds psi pt qt quart
  rpm season seasons seat second seconds set sheet side sided speed sq star stars step steps stroke team tb ton tons
  tv uhr v valve volt volts vol volume watt watts week weeks wheel wide year years yard yards yr yrs
  apartment apartments app cars cd chevy computer condo condos core drum external family free game games gear gun
  hitch home homes honda horse hotel hotels house houses internal ipod jeep jobs lego laptop map microsoft movie
  movies network nissan ps3 players pokemon psp quotes recipe recipes restaurant restaurants review reviews sale shop
  shops song songs store stores thumb time tickets tips toyota trailer train truck types usb vehicle walkthrough way
  ways windows wireless xbox zip tape jump pen belt test warp disk floppy four five six seven eight nine ten eleven
  twelve two three one district supreme circuit judicial federal superior appeals tax
  jahre jahren folge folgen euro sterne uhr stunden minuten tage personen zimmer ans jours heures étoiles anni giorni
  stelle años dias horas estrellas noches
`)

/** Streets of songs, films and exchanges. A number before them is more often a year or a count than a house. */
export const culturalNames = wordSet(`
  abbey carpool coronation diagon easy electric fury jump memory penny quality ramsay revolutionary sesame silk
  thunder tobacco wall
`)

/** Houses that everyone knows. They say nothing about the person who asks. */
export const famousAddresses: readonly string[] = [
  "10 downing street",
  "11 downing street",
  "21 jump street",
  "22 jump street",
  "221b baker street",
  "1600 pennsylvania avenue",
  "350 fifth avenue",
  "30 rockefeller plaza",
  "1428 elm street",
  "1313 mockingbird lane",
  "0001 cemetery lane",
  "742 evergreen terrace",
  "4 privet drive",
  "12 grimmauld place",
  "10 cloverfield lane",
  "42 wallaby way",
  "64 zoo lane",
  "3 abbey road",
  "165 eaton place",
  "84 charing cross road",
]

/** Words after `st` and `dr` that show that these begin a name and do not end a street. */
export const saintsAndDoctors = wordSet(`
  patrick patricks patty pattys louis paul petersburg augustine thomas lucia joseph george james mary marys john johns
  johnny kitts maarten martin barts bartholomew croix moritz tropez helens bernard nicholas nick valentine valentines
  francis vincent michael andrew andrews peter peters jude anthony clair charles cloud simons ives albans germain elmo
  phil dre seuss suess who pepper scholl scholls house oz ruth laura evil dolittle martens marten weil atkins
  strangelove bronner kevorkian quinn drew no zhivago octopus doom
`)
