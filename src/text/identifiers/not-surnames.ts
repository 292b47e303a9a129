import { wordSet } from "./query-text.ts"

/** Everyday words of queries: what follows a given name without being the rest of a name. Written for this package. */
export const everydayWords = wordSet(`
  a able about above academy accessories accident account acid act action activities actor actress ad address ads
  adult advice after again age agency agents ago aid air aircraft airlines airport alarm album alert all alone also
  alternative although always am american an and animal animals animated anime anniversary another answer answers
  antique any app apparel appetizers apple application apps are area arena arms army around art article articles
  artist artists arts as asian ask asks at ate attorney attorneys auction audio australian author auto autobiography
  automotive aux available avenue average award awards away baby back background backpack bad bag bags bake baked
  bakery ball balls band bands bank bar bars base baseball basic basketball bass bath bathroom battery battle bay be
  beach beads bear bears beauty because bed bedding bedroom bedrooms beds beef been beer before began begins behind
  being benefits best better between bible bike bikes bikini bill billing bio biography bird birds birth birthday
  black blanket blend blog blonde blood blue board boat boats body bold book booking books boot boots border boss
  bottle bowl box boy boys bracelet brain brand brands bread break breakfast breast bride bridge bright british
  broadway broken brother brothers brown budget build builders building bus business but butter buy by cabin cabinets
  cable cafe cake cakes calculator calendar call came camera camp campground camping can canada cancer candle candles
  candy car card cards care career careers carpet cars cartoon cartoons cartridge case cases cash casino cast castle
  cat catalog cats cause cd cds celebrity cell center centre century certificate chain chair chairs change channel
  chapel character characters chart charts chat cheap cheats check cheese chef chicken child children chili chocolate
  chords christ christian christmas chronicles church cinema circle city class classes classic clean cleaning clear
  clinic clip clips clock close closet clothes clothing club clue coach coast coat code codes coffee coins cold
  collectibles collection college color coloring colors colour come comedy comic comics comment company comparison
  complete computer computers concert concerts conditioner condo conference connection contact contest control
  convention cook cookbook cookie cookies cooking cool cop copy corn corner corporation cosmetics cost costume
  costumes cottage cotton could council counter country county coupon coupons course courses court cover covers cowboy
  crab craft crafts crash cream create credit creek crime cross cruise cruises cup current custom customer cut cute
  cutter daily dam dance dancing dark data date dates dating daughter day days dead deal dealer dealers deals death
  debate decor decorating decoration deer defense definition delivery demo dental dentist department depot depression
  design designer designs desk dessert development diagram diamond diary dictionary did die died diet different
  digital dining dinner direct directions directory dirty disc discount discovery disease dish display distance
  district divorce do doctor doctors does dog dogs doing doll dolls dolphin donuts door doors double down download
  downloads downtown dr dragon dragons drama draw drawing drawings dream dreams dress dresses drink drinks drive
  driver drug drugs drum dry duck during dvd dvds each early earrings east easter easy eat eating eats ebay economy
  education effect effects egg eggs elementary email employment end energy engine england english entertainment
  episode episodes equipment error essay estate estates event events ever every exam example exercise express eye eyes
  fabric face facebook facts fair fall family famous fan fanfiction fans farm farms fashion fast father favorite feed
  feet female festival fever figure figures file film films final finance find fire first fish fishing fitness fix
  flag flash flight flights floor floral flower flowers fly font food foods foot football for force forecast
  foreclosure form forms fort forum forums foundation fountain frame frames free french fresh friend friends frog from
  front fruit full fun funeral funny furniture future gallery game games garage garden gardens gas gave gay gear
  general german get gets getting ghost gift gifts girl girls glass glasses global go goes gold golf gone good gossip
  got government grade graphics grass great greek green greeting grill grocery ground group groups guard guide guitar
  gun guns gym had hair haircut haircuts hairstyle hairstyles hall halloween ham hand handbag handbags handmade hands
  harbor hard hardware has hat hats have he head headlines health heart heat heating height heights helicopter hello
  help her here hero high hill hills him hip his historic history hit hits hockey holiday holidays hollywood home
  homes hope horoscope horror horse horses hospital host hosting hot hotel hotels hour hours house houses housing how
  hub human hurricane husband i ice icons idea ideas if image images in inc income index indian industries info
  information injury inn insects inside inspiration institute instrumental insurance interactive interior
  international internet interview into investment is island islands it italian italy items its jacket jackets jail
  japanese jar jeans jersey jerseys jet jewelry jewish job jobs jokes journal juice junior just karaoke keep keeps
  kennel kept key kids kill killed killer kind king kingdom kit kitchen kits kitten kittens knew knife knives know
  known lab lace ladders lake lakes lamb lamp lamps land landing landscape language lantern laptop laptops large laser
  last latest latin laundry law lawn laws lawyer lawyers leader league learn leather leave left legal legend lesbian
  lesson lessons let lets letter letters level library license life lift light lighting lights like line lingerie
  links list listing listings lists little live living loan loans local location lodge login logo long look looking
  lose loss lost lot lottery love low luggage lunch lyric lyrics machine made magazine magazines magic mail mailing
  mainstreet make makes makeup making male mall man management manager manual manufacturer map maps market marketing
  martial mask mass massage master match math matter me meal mean meaning means meat media medical medicine medium
  meet meeting member memorial men menu message metal middle might military mine mini mint mission mls mobile model
  models modern mom money monster month more morning mortgage most motel mother motorcycle motorcycles motors mount
  mountain mountains mouse move movie movies mp mp3 much museum music must my myself nails naked name names national
  natural nature navy near necklace need net network never new news newspaper next nice nickname night no north nose
  not note notes novel now nude nudes number nurse nursing nutrition of off office official often oil old olympics on
  one online only open opening opera opinion or orange orchestra order ordinance organic origin original oscar other
  our out outdoor outfit outfits outfitters outlet outlets over own owner pack packages page pages pain paint painting
  paintings pan pants paper parade parents park parking parks part parts party pass passport password past pasta patio
  pattern patterns pay payment pdf peace pearl pen people pepper perfume person personal pest pet pets pharmacy phone
  phones photo photography photos physical piano pic pics picture pictures pie pilot pine pink pins pipe pizza place
  places plan plane planet planning plans plant plants plastic plate play playboy player players plaza please plot
  plus pocket poem poems poetry poker police policy pool pools pop popcorn popular porn port portrait possible post
  poster posters pot potato potter pottery powder power prayer pregnancy pregnant prep presents president press price
  prices print printable printer prints prison prize problems product products profile program programs project
  projects promo proof property psychic public pumpkin punch puppies puppy purple purse purses put puts puzzle quality
  queen quest question questions quick quilt quiz quotation quotations quote quotes race races racing radio rail
  railroad rain ran ranch rap rate rated rates rating ratings rave read reading real realtor realty recall receipt
  recipe recipes record recorder records recruitment red regional registry release released remedies remix rent rental
  rentals repair replica report reports reptile rescue research reserve resort resorts resources restaurant
  restaurants resume retail retreat return review reviews rice rich ride rides right ring rings ringtone ringtones
  river road roast robe rock roll romance roof room rooms root roses royal rug rugs rule rules run running runs rv
  said salad salary sale sales salon same sand sandals sandwich sat satellite sauce save saving saw say says scene
  schedule school schools science score scores screen script sea seafood search season seasons seat second secret
  secrets seed seeds sees self sell selling senior series service services set sex sextape sexy shade shadow shall
  shampoo shape share she shell shelter ship shipping ships shirt shirts shoe shoes shop shopping shops short shot
  should show shower shows side sign signs silver similar since singer singing single sister site sites sits size
  skate ski skin skirt skull sleep slip small smart smile smoke snake snow so soap soccer social society socks sofa
  soft software solar solution some son song songs soul sound soundtrack soup source south spa space speaker special
  speech speed spell spelling spider spirit spoon sport sports spring springs spy square stadium staff stage stamp
  stand stands star stars start state states station statue status stay steak steps stick still stock stone stood stop
  storage store stores stories storm story stove strategy stream street strip strong student students studio studios
  study style styles suit suite suites suits summary summer sun sunglasses super supplements supplies supply support
  surf surfing surgery survey sweater sweet swim swimming switch sword symbol symptoms syndrome syrup system tab table
  tables tabs take tall tan tank tattoo tattoos tax tea teacher teachers team tech technology teen teeth television
  tell tells temple tennis tent term test testing tests text than that the theater theatre their theme themes then
  theorem theory therapy there these they thing things think this thong though thought thread three thrift thumb
  ticket tickets tide tie tile tiles time timeline times tips tire tires to today toddler toe together toilet told
  took tools top topic topless torrent total tour tourism tournament tours tower town towns township toy toys track
  tractor tractors trade trading traditional trail trailer trailers train training transcript translation transport
  trap travel treatment tree trees trial tribute trip trips trivia truck trucks true trust truth try tube tune tv twin
  two type types ugly under uniform union unit united university until up update upon us use used vacation valley
  value van vegetable vegetarian vehicle vehicles vera version very vet victim video videos view village villas
  vineyard vintage visit vitamin voice volume vs wagon walk wall wallpaper wallpapers want war warranty was washer
  watch watches water wax way we wear weather web website websites wedding weddings week weekend weight welcome well
  went were west western what wheel wheels when where which while white who wholesale whom whose why wife wig wiki
  wikipedia wild will win wind window windows wine wings winner winners winter wiring wish with without wolf woman
  women wood wooden word words work works world worth would wrestling write writing wrong yacht yard year years yellow
  yes yoga you young your youth youtube zip zodiac zone zoo
`)

/** Towns, states and countries that follow given names which are places too, and brands called after someone. */
export const placesAndBrands = wordSet(`
  adidas africa ak al alabama alaska alberta america angeles angels antigua antonio ar arabia arbor argentina arizona
  arkansas ashley asia astros atlanta audi australia austria az bahamas baltimore barbados barbara barbie beam bears
  beijing belgium benz berlin bermuda birkenstock bmw boru bosch boston braves brazil britain broncos brooklyn buffalo
  bulgaria bulls ca california caribbean carolina celtics chargers chevrolet chicago chile china choo cincinnati clara
  cleveland co colombia colorado colts columbus connecticut costa costco cowboys craig croatia crocker cross's cruz ct
  cuba cubs czech dakota dallas daniels davidson dc de dean deere delaware dell denmark denver detroit diego dodge
  dodgers dolphins dominican dubai dublin eagles ecuador edinburgh egypt europe falcons fargo fe fidelity finland fl
  florida ford france francisco ga gables germany giants greece guatemala gucci haiti hamburg hampshire harley hawaii
  helsinki hi hilfiger honda honolulu hornets hortons hummer hungary ia iceland id idaho ikea il illinois india
  indiana indonesia iowa iran iraq ireland istanbul jacksonville jamaica japan jeans jeep jets johns jose kansas
  kawasaki kay kentucky kenya klein kmart kohls kolkata korea ks kuwait ky la lakers lauren lebanon lejeune lexus
  lisbon liverpool louisiana louisville lyon ma mac macys madrid maine malaysia malta manchester manhattan marseille
  martens maryland massachusetts mattel mazda md melbourne memphis mercedes mets mexico mi miami michigan milan
  milwaukee minneapolis minnesota mississippi missouri mn mo monica montana montreal morocco moscow motorola ms mt
  mumbai munich nashville nc nd ne nebraska nepal netherlands nevada nh nicaragua nigeria nike nissan nj nm nokia
  norway nv ny oh ohio ok oklahoma ontario oregon orlando oslo pa packers pakistan panama panthers patriots pendleton
  penney pennsylvania pepper peru philadelphia philippines pittsburgh poland portland portugal prada prague puerto
  quebec queens raiders raleigh rams rangers rhode ri richmond rico romania rome rouge russia sacramento saints salem
  samsung sc schwab scotland sd seahawks sears seattle secret secrets shanghai siemens singapore sony sox spain
  springfield steelers stockholm subaru suzuki sweden switzerland sydney syria taiwan tampa target tennessee texans
  texas thailand titans tn tobago tokyo toronto toyota tucson tulsa turkey tx uganda uk ukraine uruguay usa ut utah va
  vancouver vegas venezuela venice vermont vienna vietnam vt wa wales walker walmart warsaw wi wisconsin wv wy wyoming
  yamaha yankees york zealand zimbabwe zurich
`)

/** Phrases that are built like a name and are a thing, a firm or a figure. */
export const notPersons: ReadonlySet<string> = new Set([
  "harry potter",
  "peter pan",
  "jack daniels",
  "betty crocker",
  "betty boop",
  "calvin klein",
  "ralph lauren",
  "tommy hilfiger",
  "mary kay",
  "jenny craig",
  "charles schwab",
  "victoria secret",
  "john deere",
  "sara lee",
  "laura ashley",
  "eddie bauer",
  "jimmy choo",
  "jimmy johns",
  "jimmy john",
  "papa johns",
  "tim hortons",
  "wendy s",
  "dave busters",
  "james bond",
  "indiana jones",
  "sherlock holmes",
  "peter rabbit",
  "frank herbert",
  "barnes noble",
  "bob evans",
  "ben jerry",
  "barney rubble",
  "fred flintstone",
  "homer simpson",
  "bart simpson",
  "marge simpson",
  "lisa simpson",
  "charlie brown",
  "dora explorer",
  "thomas train",
  "thomas tank",
  "john birch",
  "helen keller school",
  "carl jr",
  "johnson johnson",
  "oscar mayer",
  "paul mitchell",
  "mary jane",
  "kelly green",
  "long john",
  "ann arbor",
  "ann taylor",
  "tommy bahama",
  "mary poppins",
  "ellen tracy",
  "anne klein",
  "liz claiborne",
  "donna karan",
  "kenneth cole",
  "steve madden",
  "vera bradley",
  "michael kors",
  "perry ellis",
  "elizabeth arden",
  "estee lauder",
  "dolly madison",
  "uncle ben",
  "jose cuervo",
  "johnnie walker",
  "johnny walker",
  "don julio",
  "captain morgan",
  "jim beam",
  "samuel adams",
  "sam adams",
  "marie callender",
  "chris craft",
  "george foreman",
  "martin guitar",
  "les paul",
  "raymond james",
  "edward jones",
  "jp morgan",
  "morgan stanley",
  "smith barney",
  "anthony robbins",
  "price waterhouse",
  "kelly blue",
  "kelley blue",
  "craigs list",
  "angies list",
  "bath body",
  "alvin chipmunks",
  "bobs furniture",
  "kelly services",
  "robert half",
  "marcus theaters",
  "st john",
  "st james",
  "st paul",
  "st thomas",
  "saint john",
  "king james",
  "dear john",
  "john bible",
  "mark bible",
  "matthew bible",
  "san antonio",
  "san jose",
  "san juan",
  "santa maria",
  "santa barbara",
  "santa monica",
  "san francisco",
  "el paso",
  "mary magdalene",
  "virgin mary",
  "prince william",
  "prince charles",
  "fort wayne",
  "john hancock",
  "hurricane katrina",
  "hurricane rita",
  "hurricane wilma",
  "jennifer convertibles",
])
