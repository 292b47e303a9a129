/**
 * Names of the lexicographer files, by the number that a synset has. From Princeton's manual page lexnames(5WN); the
 * database itself contains only the numbers. Nouns are in 3 to 28.
 */
export const lexicographerFiles = [
  "adj.all",
  "adj.pert",
  "adv.all",
  "noun.Tops", // the unique beginners
  "noun.act", // acts or actions
  "noun.animal",
  "noun.artifact", // man-made objects
  "noun.attribute", // attributes of people and objects
  "noun.body", // body parts
  "noun.cognition", // cognitive processes and contents
  "noun.communication", // communicative processes and contents
  "noun.event", // natural events
  "noun.feeling", // feelings and emotions
  "noun.food", // foods and drinks
  "noun.group", // groupings of people or objects
  "noun.location", // spatial position
  "noun.motive", // goals
  "noun.object", // natural objects, not man-made
  "noun.person",
  "noun.phenomenon", // natural phenomena
  "noun.plant",
  "noun.possession", // possession and transfer of possession
  "noun.process", // natural processes
  "noun.quantity", // quantities and units of measure
  "noun.relation", // relations between people or things or ideas
  "noun.shape", // two and three dimensional shapes
  "noun.state", // stable states of affairs
  "noun.substance",
  "noun.time", // time and temporal relations
  "verb.body",
  "verb.change",
  "verb.cognition",
  "verb.communication",
  "verb.competition",
  "verb.consumption",
  "verb.contact",
  "verb.creation",
  "verb.emotion",
  "verb.motion",
  "verb.perception",
  "verb.possession",
  "verb.social",
  "verb.stative",
  "verb.weather",
  "adj.ppl", // participial adjectives
] as const

/** One of `lexicographerFiles`. */
export type LexicographerFile = (typeof lexicographerFiles)[number]
