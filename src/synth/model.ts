/**
 * All parameters of the model. They are calibrated at 36 million rows by 650,000 users against the published figures of
 * AOL's log, and at 408,000 rows by 1,000 users against how often people in a real log return to their own words
 * (`npm run bench -- synth-fit`). Each share is of what its comment names first. Laws are `powerLaw`s of ranks.
 */
export const model = {
  /** Of new searches: shares by number of words. The last is five and more. */
  lengthShares: [0.51, 0.231, 0.129, 0.065, 0.065],
  /** Of a query of five words and more: the probability of yet another word. */
  oneMoreWord: 0.567,
  mostWords: 14,

  topics: { exponent: 0.93, shift: 20 },
  /** Lasting interests of a user. */
  fewestInterests: 2,
  mostInterests: 6,
  interestShare: 0.75,
  /** The probability that a search keeps to the topic of its session. */
  sessionTopicShare: 0.5,

  /** Of searches for a site: the share of well-known sites. The first site of a topic is well known. */
  famousShare: 0.33,
  famous: { exponent: 1.1, shift: 0.7, size: 2000 },
  site: { exponent: 1.15, shift: 0.8, size: 2 ** 20 },
  headWord: { exponent: 1.65, shift: 3, size: 400 },
  pair: { exponent: 2.1, shift: 8, size: 2 ** 40 },
  triple: { exponent: 2.6, shift: 11, size: 2 ** 40 },
  /** Words have companions: how often one of a word's companions in the topic is taken. */
  company: { share: 0.42, exponent: 1.6, shift: 1.5, size: 2 ** 30 },
  modifier: { exponent: 1.18, shift: 12 },
  topicWord: { exponent: 1.7, shift: 3 },
  coined: { exponent: 1.3, shift: 100, size: 5000 },
  town: { exponent: 1.05, shift: 10, size: 3000 },
  number: { exponent: 1.3, shift: 4, size: 1000 },
  misspelling: { exponent: 1.3, shift: 1, size: 64 },
  opening: { exponent: 0.6, shift: 2 },
  joiner: { exponent: 1.1, shift: 1 },

  /** Words of a person's own: their share of sites, of heads, and of refining words (names, and the person's town). */
  own: { site: 0.155, head: 0.034, refinement: 0.005, town: 0.012 },
  /** Which of a person's own names and sites. The first come back often; most are searched once. */
  ownName: { exponent: 1.25, shift: 2, size: 2 ** 30 },
  ownSite: { exponent: 1.15, shift: 2, size: 2 ** 30 },
  /** Of words, phrases and sites of a topic: the share that is one of the person's own choices there, and which one. */
  ownSubject: { share: 0.76, exponent: 1.4, shift: 1, size: 1000 },
  /**
   * People differ: their habit multiplies these shares. It is least + (most − least)·z², z uniform, so 1.03 on average.
   */
  ownHabit: { least: 0.2, most: 2.7 },

  /** One word: a site, a word of the topic, a misspelling of it, an own name, otherwise a coined word. */
  oneWord: { site: 0.6, head: 0.28, misspelt: 0.06, own: 0.045 },
  /**
   * Of sites that are not one's own: the share of pages. Otherwise how a site is typed: its address, with www, or its
   * bare name.
   */
  siteForms: { page: 0.42, com: 0.4, www: 0.3 },
  page: { exponent: 1.1, shift: 1000, size: 2 ** 20 },
  /**
   * Two and three words begin with a phrase of three words or of two, otherwise with one word, and are refined from
   * there.
   */
  twoWords: { triple: 0, pair: 0.7 },
  threeWords: { triple: 0.63, pair: 0.3 },
  /**
   * Four words and more may have an opening before the phrase, and after it joiners with a phrase of two words or one
   * word.
   */
  long: { opening: 0.2, triple: 0.48, pair: 0.36, joiner: 0.34, joinedPair: 0.5 },
  /** The kinds of a refinement's words. */
  refinement: { modifier: 0.5, topicWord: 0.3, town: 0.06, coined: 0.09, number: 0.03 },
  /** Q+R, R+Q, otherwise R+Q+R (Carpineto & Romano 2015, Fig. 1). */
  after: 0.65,
  before: 0.25,
  misspeltWord: 0.018,
  /**
   * Of new searches: a change of the previous search, if it had two words or more: one word more, one word less, or
   * another word.
   */
  reformulation: 0.3,
  /** Of the other new searches, times the habit: such a change of a search from the history. */
  revisit: 0.3,
  longer: 0.37,
  shorter: 0.23,

  /**
   * Which of the usual next searches of a query (`--follow`). Two in three times the first, nine in ten one of the
   * first three.
   */
  successor: { exponent: 2.5, shift: 1, size: 5 },
  /** Of the next searches of a query that has no rank in its topic: the share that has one word changed. */
  successorVaries: 0.6,

  /**
   * Re-finding: the probability of looking into one's history, and of repeating the search found there, by its length.
   */
  refind: 0.25,
  refindByLength: [1, 0.45, 0.22, 0.2, 0.15],
  /** The probability of one more page of results. */
  nextPage: 0.265,
  /** Of those: the probability that it is the next page, not the same again. */
  furtherPage: 0.35,
  clicked: 0.415,
  clickedSite: 0.415,
  anotherClick: 0.4,
  rank: { exponent: 1.7, shift: 0.8, size: 10 },
  clickedSiteRank: { exponent: 1.2, shift: 2, size: 1000 },

  /** The probability of another search in a session. */
  anotherSearch: 0.6,
  /** Spread of the logarithm of a user's activity. `activityMost` is its largest multiple of the median. */
  activitySpread: 1.55,
  /** With n times as many rows per user as AOL's log has (n > 1), the spread is divided by n to this power. */
  activityEvens: 0.6,
  activityMost: 300,
} as const
