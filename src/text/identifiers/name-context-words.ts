import { wordSet } from "./query-text.ts"

/** Words beside which a name is a private person's: they make an unknown word behind a given name a surname. */
export const personWords = wordSet(`
  obituary obituaries obit died funeral arrest arrested mugshot mugshots inmate convicted sentenced genealogy ancestry
  descendants wedding married marriage divorce reunion classmates alumni resume cv linkedin myspace facebook whitepages
  intelius zabasearch address phone lives born birth mother father daughter son wife husband widow nee née realtor attorney lawyer
  dds dmd md phd cpa esq rn professor dr mr mrs ms miss sr jr ii iii
`)

/** Titles: before a surname they make a name by themselves. */
export const titles = wordSet(
  "mr mrs ms miss dr prof professor herr frau monsieur madame mme señor señora signor rev reverend judge senator governor congressman sheriff",
)

/** Words inside a surname: de la cruz, van der berg, al-hassan. */
export const particles = wordSet(
  "van von der den de la las los del della di da dos das du le ter ten zu bin ibn ben al el abu mac mc st o d",
)

/** What a name is given to: behind these words it is a place or a firm. */
export const namesakes = wordSet(`
  academy airport avenue bank bay beach bedding brand bridge brothers cathedral center centre chevrolet church city
  clothing cocktail coffee college cologne company corp corporation cosmetics county coupon coupons creek disease
  dodge doll dolls drink drive elementary field ford forest fort foundation furniture grill handbags high highway
  homes homestead honda hospital hotel house inc inn island jeans lake law library llc makeup memorial menu middle
  mount mt museum national nissan paint park perfume purses realty recipe recipes river road school scrubs seeds
  shampoo shirt shirts shoes skillet sons stadium state store stores street syndrome theorem town toyota tractor
  tractors trail university valley whiskey
`)

/** Before a given name they make a town or a church of it: san luis, fort wayne, st patrick. */
export const placeStarts = wordSet(
  "san santa santo são saint st st. ft fort north south east west new lake mount mt port el los las",
)
