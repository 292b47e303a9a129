const words = (text: string) => text.trim().split(/\s+/)

/** Words without content of their own, the likeliest first; they join the parts of long queries. */
export const functionWords = words(`
  of in the for to and a on with is how what at by from i do my you can where who are your an does when why be about or it
  that this not was have did will if we there which has our me should would all out up no as they their into`)

/** What people of 2006 put before or after anything, the likeliest first. */
export const webWords = words(`
  free pictures new online home lyrics county sale music school games homes city high pics used state hotel hotels
  american cheap national house beach park center college estate real music video movie movies download store car cars
  county university rental rentals hospital company service services jobs job news map maps best girls women men black
  white red blue old big small baby kids children family wedding dog dogs cat cats food recipes recipe health medical
  insurance credit card cards bank loan loans mortgage business law court police travel air airline airlines cruise
  vacation island lake river mountain bay street road north south east west phone cell number address email web site
  page pages search info information history facts statistics reviews review ratings prices price discount coupons
  wholesale supplies parts accessories repair design plans pattern patterns kit kits furniture kitchen bath garden
  outdoor pool paint wood glass metal steel gold silver diamond jewelry ring rings watch watches dress dresses shoes
  shirt shirts hair skin body weight diet fitness exercise pain symptoms treatment disease cancer heart blood surgery
  drug drugs test tests book books magazine newspaper radio tv channel show shows season episode cast actor actress
  singer band song songs guitar piano dance theater museum art gallery photo photos wallpaper clip printable template
  sample example letter resume form forms tax taxes income social security federal department office association
  society club church bible christian christmas easter birthday party gifts gift ideas tips guide help how-to lessons
  course courses training program programs degree test exam scores league team teams football baseball basketball
  soccer golf tennis racing nascar fishing hunting camping boat boats truck trucks motorcycle engine tire tires wheels
  weather hurricane storm time zone area code zip directory white yellow listing listings classifieds auction dealers
  dealer model models codes cheats walkthrough pc computer laptop software driver drivers printer camera digital mp3
  player ipod wireless internet login mail chat myspace profile layouts backgrounds icons graphics animated funny jokes
  quotes poems poem sayings meaning definition dictionary spanish english french german italian chinese mexican`)

/** Openings of questions and the like, the likeliest first. */
export const openings = [
  "how to", "what is", "how to make", "how do you", "pictures of", "what is the", "how do i", "history of", "how to get",
  "where is", "who is", "how many", "where can i find", "what are the", "how much", "list of", "how do i get", "lyrics to",
  "how to get rid of", "what does", "how to build", "what are", "how to find", "when is", "where to buy", "why do", "can you",
  "the best", "where can i buy", "map of", "is there a", "free pictures of", "how long does", "how does", "who was the", "how to use",
  "side effects of", "what is a", "the history of", "how to write a", "who sings", "what kind of", "in the", "types of", "how to clean",
  "city of", "university of", "cost of", "how long do", "words to", "homes for sale in", "why does", "meaning of", "how to cook", "names of",
  "county of", "where do", "signs of", "biography of", "how to become a", "what was the", "department of", "i want to", "all about", "where are",
] // biome-ignore format: a table

/** Words that stand between two parts of a query. */
export const joiners = [
  "in", "of", "for", "and", "the", "for sale in", "and the", "of the", "in the", "with", "to", "on", "from", "at", "by", "for the", "a", "near", "to the", "with a",
  "on the", "for a", "in a", "vs", "from the", "without", "made of", "used for", "or", "that are",
] // biome-ignore format: a table
