import { wordSet } from "./query-text.ts"

/**
 * Words that show that a name next to them belongs to a private person. With them, an unknown word after a given name
 * is a surname.
 */
export const personWords = wordSet(`
  obituary obituaries obit died funeral arrest arrested mugshot mugshots inmate convicted sentenced genealogy ancestry
  descendants wedding married marriage divorce reunion classmates alumni resume cv linkedin myspace facebook
  whitepages intelius zabasearch address phone lives born birth mother father daughter son wife husband widow nee née
  realtor attorney lawyer dds dmd md phd cpa esq rn professor dr mr mrs ms miss sr jr ii iii pastor surgeon dentist
  pediatrician therapist neighbor coach teacher principal
`)

/**
 * Words that show that a name next to them belongs to a famous person. With them, a word that could be something else
 * is a clear surname.
 */
export const fameWords = wordSet(`
  age album albums actor actress autobiography band biography bio boyfriend book books concert dating dead death diet
  divorced dress film films filmography gallery girlfriend hair haircut hot house imdb interview kids live lyrics movie
  movies naked net nude pics pictures photo photos picture poem poems quote quotes scandal sex sexy singer song songs
  speech tape tattoo tattoos tour tickets video videos wallpaper wallpapers wiki wikipedia worth painting paintings
  facts timeline assassination trial presidency campaign theory symphony sonnets plays played novels short
`)

/** Titles. Before a surname they form a name on their own. */
export const titles = wordSet(`
  mr mrs ms miss dr prof professor herr frau monsieur madame mme señor señora signor rev reverend judge senator governor
  congressman sheriff president pres sen gov mayor congresswoman chancellor pastor rabbi imam ayatollah sheikh officer
  detective sir coach chef
`)

/** Titles that anyone can have. After them, a word that is in no list is a surname. */
export const privateTitles = wordSet("mr mrs dr prof professor herr frau monsieur madame señor señora signor reverend")

/** Titles before a given name: king henry, pope benedict. */
export const royalTitles = wordSet("king queen prince princess pope emperor empress tsar czar duke duchess")

/** Numerals after the names of kings, popes and sons. */
export const numerals = wordSet("ii iii iv vi vii viii ix xi xii xiii xiv xv xvi xxiii")

/** Words within a surname: de la cruz, van der berg, al-hassan. */
export const particles = wordSet(
  "van von der den de la las los del della di da dos das du le ter ten zu bin ibn ben al el abu mac mc st o d",
)

/** Things that are named after people. Before these words, a name is a place or a firm. */
export const namesakes = wordSet(`
  academy airport bag bags arena arms auto avenue bank bay beach bedding brand bridge brothers cathedral center centre
  chevrolet church city clothing cocktail coffee college cologne company corp corporation cosmetics county coupon
  coupons creek disease dodge doll dolls drink drive elementary field ford forest fort foundation furniture grill
  handbags high highway homes homestead honda hospital hotel house inc inn island jacket jackets jeans lake law
  library llc locker makeup memorial menu middle mount mt museum national nissan paint park perfume purses realty
  river roasters road school scrubs seeds shampoo shirt shirts shoes skillet sons stadium state store stores street
  syndrome terrier theorem town toyota tractor tractors trail university valley whiskey award awards bagels bbq bakery
  blvd boulevard bookstore bowl cadillac cemetery chevy clinic cookies dealership dealer dollar doughnuts donuts elem
  farm farms fragrance golf guitar guitars gym handbag heights hills hs institute insurance isd jewelers jewelry
  knives lane ln mall mattress medical motors outlet parish pharmacy pizza plaza prep prize pub ranch rd rental resort
  restaurant restaurants rifle rum salon sausage seminary square station sunglasses tavern theater theatre tools
  township trophy truck trucks vineyard vineyards watch watches wine winery yogurt zoo
`)

/** Words that make a following given name a town or a church: san luis, fort wayne, st patrick. */
export const placeStarts = wordSet(
  "san santa santo são saint st st. ft fort north south east west new lake mount mt port el los las",
)

/** Given names that may be followed by another given name that is not a surname: mary ann, billy joe. */
export const doubleNames = wordSet(
  "mary ann anna anne maria marie jean jo joe john billy bobby betty bonnie lee sarah ella",
)
