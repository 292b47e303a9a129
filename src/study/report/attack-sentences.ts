import { linkageAttackers } from "../../kernels/linkage/attackers.ts"
import { count, plain } from "../../kernels/number-words.ts"
import { findScore, type Score } from "../../probes/score.ts"
import type { SentenceRule } from "./say-scores.ts"
import { besideChance, counted, countOf, percent, shareInWords } from "./words.ts"

const guess = ({ baseline = 0 }: Score) => `a blind guess would be right for ${percent(baseline)}`

/** Examples of direct identifiers. */
const kinds = "(address, card or phone number, e-mail …)"

const singular = { searches: "search", names: "name" }

const linked = (found: string, what: keyof typeof singular, score: Score) => {
  if (score.n === 0) return `The attack could not be tried on ${what}: the release shows none that it is about.`
  const tried = score.n === 1 ? singular[what] : what
  return `${found} for ${countOf(score)} ${tried} ${shareInWords(score)}; ${guess(score)}. ${besideChance(score)}`
}

/** The result of an attacker who answers only if nine in ten answers are right; undefined if nothing was tried. */
const precise = ({ value, n = 0 }: Score, found: string) => {
  if (n === 0) return undefined
  return value === 0
    ? "Even if the attacker answers only the surest cases, fewer than nine in ten answers are right."
    : `An attacker who answers only if nine in ten answers are right still ${found}.`
}

const readable = (score: Score) => `${count(Math.round(score.value * (score.n ?? 0)))} can be read in the release`

/**
 * How often an attacker named the user who made a search, among all searches and among those for which they named
 * someone.
 */
function sayLinked(score: Score, scores: readonly Score[]): string {
  const attacker = score.at?.attacker
  const how = linkageAttackers.find(({ name }) => name === attacker)?.summary
  const found = `The attacker “${attacker}”${how === undefined ? "" : `, who ${how},`} named the right user`
  const named = findScore(scores, { probe: "linkage", score: "linkage", at: { attacker, among: "named" } })
  if (score.n === 0 || named?.n === undefined || named.n === score.n) return linked(found, "searches", score)
  const all = `${found} for ${countOf(score)} searches ${shareInWords(score)}`
  if (named.n === 0) return `${all}: they named nobody.`
  const whereNamed = `They named somebody for ${count(named.n)}, and were right for ${countOf(named)}`
  return `${all}. ${whereNamed} ${shareInWords(named)}; ${guess(named)}. ${besideChance(named)}`
}

/** Sentences about what each attack found. */
export const attackSentences: readonly SentenceRule[] = [
  {
    probe: "secrets",
    score: "secrets",
    at: { kind: undefined },
    say: (score) => {
      if (score.n === 0) return "No line of the log has a planted secret."
      const lines = counted(score.n ?? 0, "line")
      const read = `the text of ${readable(score)} ${shareInWords(score)}`
      return `Of ${lines} of the log with a planted secret, ${read}. In the log, all can be read.`
    },
  },
  {
    probe: "secrets",
    score: "pattern",
    at: { kind: undefined },
    say: (score) =>
      score.n === 0
        ? `The detectors found no identifier ${kinds} in any query of the log. Names of people are counted separately.`
        : [
            `A direct identifier ${kinds} was found in ${count(score.n ?? 0)} of the log's distinct queries;`,
            `${readable(score)} (${percent(score.value)}).`,
            "Identifiers that the detectors do not know are not counted. Names of people are counted separately.",
          ].join(" "),
  },
  {
    probe: "secrets",
    score: "pattern",
    at: { kind: "person" },
    say: (score) => {
      if (score.n === 0) return undefined
      const queries = `${count(score.n ?? 0)} of the log's distinct queries ${score.n === 1 ? "seems" : "seem"}`
      return `${queries} to name a person; ${readable(score)} (${percent(score.value)}).`
    },
  },
  {
    probe: "injection",
    score: "injection",
    at: { method: undefined },
    say: (score) =>
      [
        `An attacker with ${counted(Number(score.at?.accounts), "account")} added private words of somebody else to`,
        `frequent queries, and got ${countOf(score)} of them published ${shareInWords(score)}.`,
      ].join(" "),
  },
  {
    probe: "known-query",
    score: "one",
    say: ({ value, n = 0, baseline }) => {
      if (n === 0) return "No query of the log is shown: an attacker who saw someone type one does not find it."
      const inLog = baseline === undefined ? "" : ` (in the log itself: ${percent(baseline)})`
      return [
        "An attacker who saw someone type a query that is shown, by its text or by its concept,",
        `knows at once which user it was in ${percent(value)} of ${count(n)} such cases${inLog}.`,
      ].join(" ")
    },
  },
  {
    probe: "known-query",
    score: "known-query",
    at: { percent: 50 },
    say: ({ value }) =>
      value > 1
        ? `In half of these cases at most ${count(value)} users are possible, in the others at least as many.`
        : undefined,
  },
  {
    probe: "linkage",
    score: "known-searches",
    say: (score) => {
      if (score.n === 0) return undefined
      const known = score.at?.known === 1 ? "one released search" : `${score.at?.known} released searches`
      return [
        `An attacker who knows ${known} of a person found the person's name`,
        `for ${countOf(score)} people ${shareInWords(score)}; ${guess(score)}. ${besideChance(score)}`,
      ].join(" ")
    },
  },
  {
    probe: "linkage",
    score: "original-pairs",
    say: (score) =>
      score.n === 0
        ? undefined
        : `${countOf(score)} searches ${shareInWords(score)} are shown under a user who typed the same text.`,
  },
  { probe: "linkage", score: "linkage", at: { among: undefined }, say: sayLinked },
  {
    probe: "linkage",
    score: "linkage",
    at: { among: "named" },
    say: ({ at }, scores) => {
      const key = { probe: "linkage", score: "linkage", at: { attacker: at?.attacker, among: undefined } }
      const ofAll = findScore(scores, key)
      return ofAll && sayLinked(ofAll, scores)
    },
  },
  {
    probe: "profile",
    score: "record",
    say: (score) =>
      linked("An attacker who knows everyone's earlier searches named the right person", "searches", score),
  },
  {
    probe: "profile",
    score: "record-recall",
    say: (score) => precise(score, `names the person of ${percent(score.value)} of ${count(score.n ?? 0)} searches`),
  },
  {
    probe: "profile",
    score: "record-control",
    say: ({ value, n, baseline = 0 }) =>
      n === 0 || baseline === 0 // no earlier user is missing from the release
        ? undefined
        : [
            `For ${percent(value)} of the searches, the attacker named someone who searched earlier but is not in the`,
            `release; by chance it would be ${percent(baseline)}. Those answers are all wrong.`,
          ].join(" "),
  },
  {
    probe: "profile",
    score: "name",
    say: (score) => {
      const attacker = "An attacker who knows everyone's earlier searches and reads everything under one name"
      return linked(`${attacker} named the right person`, "names", score)
    },
  },
  {
    probe: "profile",
    score: "name-recall",
    say: (score) => precise(score, `names the person of ${percent(score.value)} of ${count(score.n ?? 0)} names`),
  },
  {
    probe: "intersection",
    score: "intersection",
    say: (score) => {
      const attacker = "An attacker who holds a second release of an overlapping time"
      return linked(`${attacker} found the name of the same person there`, "names", score)
    },
  },
  {
    probe: "intersection",
    score: "recall",
    say: (score) => precise(score, `finds it for ${percent(score.value)} of ${count(score.n ?? 0)} names`),
  },
  {
    probe: "membership",
    score: "membership",
    say: (score) => {
      const people = count((score.n ?? 0) / 2)
      return [
        "Was this person in the log? The method was run again without some people.",
        `An attacker who knows a person's searches distinguished ${people} of them from ${people} who were in the log,`,
        `with an advantage of ${advantage(score)} ${besideChance(score)}`,
      ].join(" ")
    },
  },
  {
    probe: "membership",
    score: "informed",
    say: (score, scores) => {
      const bound = findScore(scores, { probe: "membership", score: "bound" })?.value
      const most = bound === undefined ? "" : ` The promise allows at most ${bound.toFixed(3)} for any one person.`
      const attacker = "An attacker who also knows all searches of everyone else"
      return `${attacker} has an advantage of ${advantage(score)}${most} ${besideChance(score)}`
    },
  },
  {
    probe: "interests",
    score: "interests",
    say: (score) =>
      [
        "An attacker who knows half of a person's searches guessed topics of the other half from the nearest profile.",
        `They were right for ${countOf(score)} guesses ${shareInWords(score)};`,
        `guesses by what all people search for are right for ${percent(score.baseline ?? 0)}. ${besideChance(score)}`,
      ].join(" "),
  },
  {
    probe: "dp-audit",
    score: "dp-audit",
    at: { scenario: undefined },
    say: ({ value, baseline = 0, at }) =>
      [
        "The mechanism was run on synthetic logs that differ by one user.",
        `For ${at?.table} its ε is at least ${plain(value)}; it claims ${plain(baseline)}.`,
        value > baseline ? "The claim is refuted." : "That neither refutes nor proves the claim.",
      ].join(" "),
  },
]

/** Advantage: true positive rate minus false positive rate. 0 is a blind guess, 1 is certainty. */
const advantage = ({ value, interval: [low, high] = [value, value] }: Score) =>
  `${value.toFixed(3)} (95 % interval ${low.toFixed(3)} to ${high.toFixed(3)}; 0 is a blind guess, 1 is certainty).`

/** What this tool does not try and a privacy officer must know about. */
export const untried = [
  "joining the release with what is known about people from elsewhere: " +
    "newspapers, social networks, other data sets, other releases",
  "reading a query as someone would who knows the person, the place or the case",
  "cleverer attacks than those tried here: an attack that finds little proves nothing",
  "other leaks: the log, its copies and backups, and the private files next to this release",
]
