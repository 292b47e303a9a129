import { linkageAttackers } from "../../kernels/linkage/attackers.ts"
import { count, plain } from "../../kernels/number-words.ts"
import { findScore, type Score } from "../../probes/score.ts"
import type { SentenceRule } from "./say-scores.ts"
import { besideChance, counted, countOf, percent, shareInWords } from "./words.ts"

const guess = ({ baseline = 0 }: Score) => `a blind guess would be right for ${percent(baseline)}`

const singular = { searches: "search", names: "name" }

const linked = (found: string, what: keyof typeof singular, score: Score) =>
  score.n === 0
    ? `Nothing could be tried on ${what}: the release shows none that the attack is about.`
    : `${found} for ${countOf(score)} ${score.n === 1 ? singular[what] : what} ${shareInWords(score)}; ${guess(score)}. ${besideChance(score)}`

/** The result of an attacker who answers only when sure enough; undefined if nothing was tried. */
const sure = ({ value, n = 0 }: Score, found: string) => {
  if (n === 0) return undefined
  return value === 0
    ? "However sure he must be before he speaks, he is never right nine times in ten."
    : `If he only speaks when he is right nine times in ten, he still ${found}.`
}

const readable = (score: Score) => `${count(Math.round(score.value * (score.n ?? 0)))} can be read in the release`

/**
 * How often an attacker named the user who made a search, among all searches and among those for which they named
 * someone.
 */
function sayLinked(score: Score, scores: readonly Score[]): string {
  const attacker = score.at?.attacker
  const how = linkageAttackers.find(({ name }) => name === attacker)?.summary
  const found = `The attacker “${attacker}”${how === undefined ? "" : `, who ${how},`} named who made it`
  const named = findScore(scores, { probe: "linkage", score: "linkage", at: { attacker, among: "named" } })
  if (score.n === 0 || named?.n === undefined || named.n === score.n) return linked(found, "searches", score)
  const all = `${found} for ${countOf(score)} searches ${shareInWords(score)}`
  if (named.n === 0) return `${all}: he named nobody.`
  return `${all}. He named somebody for ${count(named.n)}, and was right for ${countOf(named)} ${shareInWords(named)}; ${guess(named)}. ${besideChance(named)}`
}

/** Sentences about what each attack found. */
export const attackSentences: readonly SentenceRule[] = [
  {
    probe: "secrets",
    score: "secrets",
    at: { kind: undefined },
    say: (score) =>
      score.n === 0
        ? "No line of the log has a planted secret."
        : `Of ${counted(score.n ?? 0, "line")} of the log with a planted secret, the text of ${readable(score)} ${shareInWords(score)}; in the log it is all of them.`,
  },
  {
    probe: "secrets",
    score: "pattern",
    at: { kind: undefined },
    say: (score) =>
      score.n === 0
        ? "The detectors found no identifier (address, card or phone number, mail …) in any query of the log. Names of people are counted apart."
        : `In ${count(score.n ?? 0)} of the log's distinct queries a direct identifier is found (address, card or phone number, mail …); ${readable(score)} (${percent(score.value)}). Identifiers that the detectors do not know are not counted, and names of people apart.`,
  },
  {
    probe: "secrets",
    score: "pattern",
    at: { kind: "person" },
    say: (score) =>
      score.n === 0
        ? undefined
        : `Distinct queries of the log that seem to name a person: ${count(score.n ?? 0)}; ${readable(score)} (${percent(score.value)}).`,
  },
  {
    probe: "injection",
    score: "injection",
    at: { method: undefined },
    say: (score) =>
      `An adversary with ${counted(Number(score.at?.accounts), "account")}, who joined private words of somebody else to frequent queries, had ${countOf(score)} of them published ${shareInWords(score)}.`,
  },
  {
    probe: "known-query",
    score: "one",
    say: ({ value, n = 0, baseline }) =>
      n === 0
        ? "No query of the log is shown: who saw someone type one does not find it."
        : `Who saw someone type a query that is shown, by its text or by its concept, knows at once who it was in ${percent(value)} of ${count(n)} such cases${baseline === undefined ? "" : ` (in the log itself: ${percent(baseline)})`}.`,
  },
  {
    probe: "known-query",
    score: "known-query",
    at: { percent: 50 },
    say: ({ value }) =>
      value > 1
        ? `In half of these cases the person can be one of at most ${count(value)} users, in the others one of at least as many.`
        : undefined,
  },
  {
    probe: "linkage",
    score: "known-searches",
    say: (score) =>
      score.n === 0
        ? undefined
        : `An attacker who knows ${score.at?.known === 1 ? "one released search" : `${score.at?.known} released searches`} of a person found the person's name for ${countOf(score)} people ${shareInWords(score)}; ${guess(score)}. ${besideChance(score)}`,
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
      linked("An adversary who knows everybody's earlier searches named the right person", "searches", score),
  },
  {
    probe: "profile",
    score: "record-recall",
    say: (score) => sure(score, `names the person of ${percent(score.value)} of ${count(score.n ?? 0)} searches`),
  },
  {
    probe: "profile",
    score: "record-control",
    say: ({ value, n, baseline = 0 }) =>
      n === 0 || baseline === 0 // no earlier user is missing from the release
        ? undefined
        : `People who searched earlier but are not in the release were named for ${percent(value)} of the searches; by chance it would be ${percent(baseline)}. Those are all wrong.`,
  },
  {
    probe: "profile",
    score: "name",
    say: (score) =>
      linked(
        "Who knows everybody's earlier searches and reads all that one name shows told whose it is",
        "names",
        score,
      ),
  },
  {
    probe: "profile",
    score: "name-recall",
    say: (score) => sure(score, `tells whose ${percent(score.value)} of ${count(score.n ?? 0)} names are`),
  },
  {
    probe: "intersection",
    score: "intersection",
    say: (score) =>
      linked(
        "Who holds a second release of an overlapping time found the name of the same person there",
        "names",
        score,
      ),
  },
  {
    probe: "intersection",
    score: "recall",
    say: (score) => sure(score, `finds it for ${percent(score.value)} of ${count(score.n ?? 0)} names`),
  },
  {
    probe: "membership",
    score: "membership",
    say: (score) => {
      const people = count((score.n ?? 0) / 2)
      return `Was this person in the log? The method was run again without some people. Who knows a person's searches told ${people} of them from ${people} who were in with an advantage of ${advantage(score)} ${besideChance(score)}`
    },
  },
  {
    probe: "membership",
    score: "informed",
    say: (score, scores) => {
      const bound = findScore(scores, { probe: "membership", score: "bound" })?.value
      const most = bound === undefined ? "" : ` The promise allows at most ${bound.toFixed(3)} for any one person.`
      return `Who also knows all searches of everybody else has an advantage of ${advantage(score)}${most} ${besideChance(score)}`
    },
  },
  {
    probe: "interests",
    score: "interests",
    say: (score) =>
      `Who knows half of a person's searches and reads the nearest profile guesses topics of the other half, and is right for ${countOf(score)} guesses ${shareInWords(score)}; guesses by what all people search for are right for ${percent(score.baseline ?? 0)}. ${besideChance(score)}`,
  },
  {
    probe: "dp-audit",
    score: "dp-audit",
    at: { scenario: undefined },
    say: ({ value, baseline = 0, at }) =>
      `The mechanism was run on synthetic logs that differ by one user: for ${at?.table} its ε is at least ${plain(value)}, and it claims ${plain(baseline)}. ${value > baseline ? "The claim is refuted." : "That does not refute the claim, nor prove it."}`,
  },
]

/** Advantage: true positive rate minus false positive rate. 0 is a blind guess, 1 is certainty. */
const advantage = ({ value, interval = [value, value] }: Score) =>
  `${value.toFixed(3)} (95 % interval ${interval[0].toFixed(3)} to ${interval[1].toFixed(3)}; 0 is a blind guess, 1 is certainty).`

/** Attacks that this tool does not try and that a privacy officer must know about. */
export const untried = [
  "what a reader knows of people from elsewhere and joins with the release: newspapers, social networks, other data sets, other releases",
  "what the words of a query say by themselves to somebody who knows the person, the place or the case",
  "adversaries that are cleverer than those tried here: an attack that finds little proves nothing",
  "what else leaves the house: the log, its copies and backups, and the private files beside this release",
]
