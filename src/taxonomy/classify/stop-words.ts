import { englishFunctionWords, parseFunctionWords } from "../../text/function-words.ts"

/**
 * Words of web searches that say little about their topic. They decide only if nothing else does.
 * `free word search puzzles` is about puzzles, `pictures of owls` about owls, `symptoms of gout` about gout.
 */
const webWords = `
# what is wanted of it
free online cheap best top new used discount wholesale sale sales buy buying sell selling purchase order cost costs
price prices pricing deal deals coupon coupons rental rentals rent reviews review rating ratings compare comparison
download downloads printable

# of the web itself
web website websites site sites page pages www http https com net org edu gov html htm index homepage home search google
yahoo aol msn login log sign signup account email internet link links official info information

# kinds of documents
picture pictures pic pics photo photos photograph photographs image images photographic video videos clip clips
wallpaper wallpapers lyric lyrics words list lists listing listings directory guide guides tip tips idea ideas advice
fact facts definition definitions meaning meanings history example examples sample samples type types kind kinds sort
sorts name names statistics diagram diagrams instruction instructions how-to faq tutorial tutorials biography bio
profile profiles template templates recipe recipes summary homework

# of an illness or a matter
symptom symptoms sign signs cause causes effect effects side benefit benefits cure cures

# places in general
county city town state usa us america american north south east west northern southern eastern western area local near
nearby national international world

# people in general
people person man men woman women girl girls boy boys lady ladies guy guys kid kids child children adult adults

# verbs of questions that are nouns as well
make makes making made get gets getting find finds finding found use uses using go goes going do take takes taking give
gives giving show shows need needs want wants look looks looking know help helps tell work works working become becoming
clean cleaning start starting stop stopping keep keeping write writing build building remove removing change changing

# amounts, times and order
many much more most less least all one two three four five six seven eight nine ten first second third last next old
young big small large little long short high low good great nice cool real easy fast quick right left full day days year
years time times today tomorrow tonight week weeks month months number numbers part parts way ways thing things lot lots
set sets pair black white red blue green yellow brown pink purple orange grey gray
`

export interface StopWords {
  isFunctionWord(word: string): boolean
  isUninformative(word: string): boolean
}

export function stopWords(): StopWords {
  const functionWords = parseFunctionWords(englishFunctionWords)
  const little = parseFunctionWords(webWords)
  return {
    isFunctionWord: (word) => functionWords.has(word),
    isUninformative: (word) => little.has(word) || !/[a-z]/.test(word) || word.length < 2,
  }
}
