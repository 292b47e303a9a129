/**
 * Every number of the model, calibrated at 36 million rows by 650,000 users against the published figures of AOL's log, and
 * at 408,000 rows by 1,000 users against how far people of a real log come back to their own words
 * (`npm run bench -- synth-fit`). Shares are of what stands before them; laws are `powerLaw`s of ranks.
 */
export const model = {
  /** Of new searches: how many words; the last is five and more. */
  lengthShares: [0.51, 0.231, 0.129, 0.065, 0.065],
  /** Of a query of five words and more: the chance of yet another word. */
  oneMoreWord: 0.567,
  mostWords: 14,

  topics: { exponent: 0.93, shift: 20 },
  /** Lasting interests of a user. */
  fewestInterests: 2,
  mostInterests: 6,
  interestShare: 0.75,
  /** A search keeps to the topic of its session. */
  sessionTopicShare: 0.5,

  /** Of searches for a site: one of those that everybody knows, the first site of a topic. */
  famousShare: 0.33,
  famous: { exponent: 1.1, shift: 0.7, size: 2000 },
  site: { exponent: 1.15, shift: 0.8, size: 2 ** 20 },
  headWord: { exponent: 1.65, shift: 3, size: 400 },
  pair: { exponent: 2.1, shift: 8, size: 2 ** 40 },
  triple: { exponent: 2.6, shift: 11, size: 2 ** 40 },
  /** Words keep company: how often one of a word's companions in the topic is taken. */
  company: { share: 0.42, exponent: 1.6, shift: 1.5, size: 2 ** 30 },
  modifier: { exponent: 1.18, shift: 12 },
  topicWord: { exponent: 1.7, shift: 3 },
  coined: { exponent: 1.3, shift: 100, size: 5000 },
  town: { exponent: 1.05, shift: 10, size: 3000 },
  number: { exponent: 1.3, shift: 4, size: 1000 },
  misspelling: { exponent: 1.3, shift: 1, size: 64 },
  opening: { exponent: 0.6, shift: 2 },
  joiner: { exponent: 1.1, shift: 1 },

  /** Words of one's own: the share of sites, of heads, and of refining words (names, and one's town). */
  own: { site: 0.155, head: 0.034, refinement: 0.005, town: 0.012 },
  /** Which of one's own names and sites: the first come back often, most are searched once. */
  ownName: { exponent: 1.25, shift: 2, size: 2 ** 30 },
  ownSite: { exponent: 1.15, shift: 2, size: 2 ** 30 },
  /** Of words, phrases and sites of a topic: the share that is one of one's own choice there, and which. */
  ownSubject: { share: 0.76, exponent: 1.4, shift: 1, size: 1000 },
  /** People differ: their habit multiplies these shares. It is least + (most − least)·z², z uniform, so 1.03 on average. */
  ownHabit: { least: 0.2, most: 2.7 },

  /** One word: a site, a word of the topic, a misspelling of it, an own name, else a made-up word. */
  oneWord: { site: 0.6, head: 0.28, misspelt: 0.06, own: 0.045 },
  /** Of sites that are not one's own: the share of pages. Else, how a site is typed: its address, with www, or its bare name. */
  siteForms: { page: 0.42, com: 0.4, www: 0.3 },
  page: { exponent: 1.1, shift: 1000, size: 2 ** 20 },
  /** Two and three words begin with a phrase of three words, of two, else with one word, and are refined from there. */
  twoWords: { triple: 0, pair: 0.7 },
  threeWords: { triple: 0.63, pair: 0.3 },
  /** Four words and more may have an opening before the phrase and joiners with a phrase of two or a word behind it. */
  long: { opening: 0.2, triple: 0.48, pair: 0.36, joiner: 0.34, joinedPair: 0.5 },
  /** A refinement's words. */
  refinement: { modifier: 0.5, topicWord: 0.3, town: 0.06, coined: 0.09, number: 0.03 },
  /** Q+R, R+Q, else R+Q+R (Carpineto & Romano 2015, Fig. 1). */
  after: 0.65,
  before: 0.25,
  misspeltWord: 0.018,
  /** Of new searches: a change of the search before, if that had two words or more: a word more, a word less, else another. */
  reformulation: 0.3,
  /** Of the other new searches, times the habit: such a change of a search from the history. */
  revisit: 0.3,
  longer: 0.37,
  shorter: 0.23,

  /** Of the usual next searches of a query (`--follow`): which. Two in three times the first, nine in ten the first three. */
  successor: { exponent: 2.5, shift: 1, size: 5 },
  /** Of the next searches of a query that has no rank in its topic: the share that has one word changed. */
  successorVaries: 0.6,

  /** Re-finding: the chance to look into one's history, and that what is found there is searched again, by length. */
  refind: 0.25,
  refindByLength: [1, 0.45, 0.22, 0.2, 0.15],
  /** The chance of one more page of results. */
  nextPage: 0.265,
  /** Of those: it is the page after, not the same again. */
  furtherPage: 0.35,
  clicked: 0.415,
  clickedSite: 0.415,
  anotherClick: 0.4,
  rank: { exponent: 1.7, shift: 0.8, size: 10 },
  clickedSiteRank: { exponent: 1.2, shift: 2, size: 1000 },

  /** Searches of a session: the chance of another. */
  anotherSearch: 0.6,
  /** Spread of the logarithm of a user's activity, and its largest multiple of the median. */
  activitySpread: 1.55,
  /** With more rows per user than AOL's log has, n times as many, the spread is divided by n to this power. */
  activityEvens: 0.6,
  activityMost: 300,
} as const
