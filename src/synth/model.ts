/**
 * Every number of the model, calibrated at 36 million rows by 650,000 users against the published figures of AOL's log
 * (`npm run bench -- synth-fit`). Shares are of what stands before them; laws are `powerLaw`s of ranks.
 */
export const model = {
  /** Of new searches: how many words; the last is five and more. */
  lengthShares: [0.401, 0.245, 0.164, 0.0895, 0.1005],
  /** Of a query of five words and more: the chance of yet another word. */
  oneMoreWord: 0.567,
  mostWords: 14,

  topics: { exponent: 0.8, shift: 20 },
  /** Lasting interests of a user. */
  fewestInterests: 2,
  mostInterests: 6,
  interestShare: 0.55,
  /** A search keeps to the topic of its session. */
  sessionTopicShare: 0.5,

  /** Of searches for a site: one of those that everybody knows, the first site of a topic. */
  famousShare: 0.2,
  famous: { exponent: 1.1, shift: 0.7, size: 2000 },
  site: { exponent: 1.11, shift: 0.8, size: 2 ** 29 },
  headWord: { exponent: 1.35, shift: 3, size: 2 ** 40 },
  pair: { exponent: 1.35, shift: 2.2, size: 2 ** 40 },
  triple: { exponent: 1.29, shift: 1.5, size: 2 ** 40 },
  /** Words keep company: how often one of a word's companions in the topic is taken. */
  company: { share: 0.7, exponent: 1.3, shift: 1.5, size: 2 ** 30 },
  modifier: { exponent: 1.05, shift: 12 },
  topicWord: { exponent: 0.98, shift: 3 },
  coined: { exponent: 1.2, shift: 8000, size: 2 ** 40 },
  town: { exponent: 1.05, shift: 30, size: 20_000 },
  number: { exponent: 1.3, shift: 4, size: 100_000 },
  misspelling: { exponent: 1.3, shift: 1, size: 64 },
  opening: { exponent: 0.9, shift: 1 },
  joiner: { exponent: 1.1, shift: 1 },

  /** One word: a site, a word of the topic, a misspelling of it, else a made-up word. */
  oneWord: { site: 0.6, head: 0.26, misspelt: 0.06 },
  /** How a site is typed: its address, with www, or its bare name. */
  siteForms: { com: 0.4, www: 0.3 },
  /** Two and three words begin with a phrase of three words, of two, else with one word, and are refined from there. */
  twoWords: { triple: 0, pair: 0.7 },
  threeWords: { triple: 0.57, pair: 0.33 },
  /** Four words and more may have an opening before the phrase and joiners with a phrase of two or a word behind it. */
  long: { opening: 0.25, triple: 0.5, pair: 0.37, joiner: 0.4, joinedPair: 0.5 },
  /** A refinement's words. */
  refinement: { modifier: 0.5, topicWord: 0.3, town: 0.06, coined: 0.09, number: 0.03 },
  /** Q+R, R+Q, else R+Q+R (Carpineto & Romano 2015, Fig. 1). */
  after: 0.65,
  before: 0.25,
  misspeltWord: 0.02,
  /** Of new searches: a change of the search before, if that had two words or more: a word more, a word less, else another. */
  reformulation: 0.3,
  longer: 0.35,
  shorter: 0.25,

  /** Of the usual next searches of a query (`--follow`): which. Two in three times the first, nine in ten the first three. */
  successor: { exponent: 2.5, shift: 1, size: 5 },

  /** Re-finding: the chance to look into one's history, and that what is found there is searched again, by length. */
  refind: 0.39,
  refindByLength: [1, 0.55, 0.35, 0.4, 0.32],
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
  activityMost: 300,
} as const
