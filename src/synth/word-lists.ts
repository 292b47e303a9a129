const words = (text: string) => text.trim().split(/\s+/)

/** Words without content of their own, the likeliest first; they join the parts of long queries. */
export const functionWords = words(`
  of in the for to and a on with is how what at by from i do my you can where who are your an does when why be about or it
  that this not was have did will if we there which has our me should would all out up no as they their into`)

/** What people of 2006 put before or after anything, the likeliest first: words that say what is wanted, not of what. */
export const webWords = words(`
  free pictures new online lyrics sale pics used cheap best download store buy official reviews prices info information
  history facts local american real old big small top discount coupons wholesale supplies parts accessories repair design
  plans pattern patterns kit kits photo photos wallpaper clip printable template sample examples ideas tips guide help
  lessons course courses training program programs list listing listings classifieds auction dealers dealer model models
  codes website web site page pages search directory service services national popular custom personalized vintage
  antique funny homemade types kinds names meaning definition quotes downloads stores review ratings price statistics
  rental rentals updated latest complete original beautiful`)

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
