import { fewUsers } from "../../attacks/secrets/find-patterns.ts"
import { linkageAttackers } from "../../kernels/linkage/attackers.ts"
import { count, plain } from "../../kernels/number-words.ts"
import type { AnyProbe } from "../../probes/probe.ts"
import { findScore, isScore, type Score, type ScoreKey } from "../../probes/score.ts"
import type { JudgedScore } from "./judge-attacks.ts"

/**
 * What a successful attack means for a person in the log: the start of a sentence that ends with how often it succeeds.
 */
interface Meaning extends ScoreKey {
  say(score: Score): string
}

const earlier = "An attacker who knows what you searched earlier"
const second = "An attacker who holds a second release of an overlapping time"
const typed = "Somebody who saw you type a query that the release shows"
const sure = "and speaks only when right nine times in ten"
const guesses = "who knows half of your searches"

const knownSearches = ({ at }: Score) => (at?.known === 1 ? "one of your searches" : `${at?.known} of your searches`)

function attackerOf({ at }: Score): string {
  const how = linkageAttackers.find(({ name }) => name === at?.attacker)?.summary
  return how === undefined ? `The attacker “${at?.attacker}”` : `An attacker who ${how} (${at?.attacker})`
}

const meanings: readonly Meaning[] = [
  { probe: "profile", score: "record", say: () => `${earlier} recognises a later search as yours` },
  { probe: "profile", score: "record-recall", say: () => `${earlier} ${sure} recognises a later search as yours` },
  { probe: "profile", score: "name", say: () => `${earlier} finds the name that stands for you` },
  { probe: "profile", score: "name-recall", say: () => `${earlier} ${sure} finds the name that stands for you` },
  {
    probe: "linkage",
    score: "linkage",
    at: { among: "named" },
    say: (score) => `${attackerOf(score)} names you for one of your searches, when naming anybody,`,
  },
  { probe: "linkage", score: "linkage", say: (score) => `${attackerOf(score)} names you for one of your searches` },
  {
    probe: "linkage",
    score: "known-searches",
    say: (score) => `An attacker who knows ${knownSearches(score)} in the release finds the name that stands for you`,
  },
  {
    probe: "linkage",
    score: "original-pairs",
    say: () => "An attacker who takes every row at its word is right about what the person of a name searched",
  },
  { probe: "intersection", score: "intersection", say: () => `${second} finds your name there from your name here` },
  { probe: "intersection", score: "recall", say: () => `${second} ${sure} finds your name there from your name here` },
  { probe: "known-query", score: "one", say: () => `${typed} knows at once which user of the log you are` },
  {
    probe: "injection",
    score: "injection",
    say: ({ at }) =>
      `An attacker with ${at?.accounts} ${at?.accounts === 1 ? "account" : "accounts"} who types your private words next to a frequent query has them published`,
  },
  {
    probe: "interests",
    score: "interests",
    say: () => `An attacker ${guesses} guesses a topic of the others from the nearest profile, and is right`,
  },
  {
    probe: "interests",
    score: "own-profile",
    say: () => `An attacker ${guesses} finds the profile that you are part of`,
  },
]

/** Sentences that do not end with the success rate of a guess. */
const wholeSentences: readonly (ScoreKey & { say(score: Score, scores: readonly Score[]): string })[] = [
  {
    probe: "membership",
    score: "membership",
    say: (score) => `An attacker who knows your searches tells whether you are in the log, and is ${right(score)}`,
  },
  {
    probe: "membership",
    score: "informed",
    say: (score) =>
      `An attacker who knows your searches and everybody else's tells whether you are in the log, and is ${right(score)}`,
  },
  {
    probe: "known-query",
    score: "under-k",
    say: ({ value }, scores) => {
      const one = findScore(scores, { probe: "known-query", score: "one" })?.value ?? 0
      return `${typed} narrows you down to fewer users of the log than the release's k in ${outOf(value)} cases${one > 0 ? `, and to you alone in ${outOf(one)}` : ""}.`
    },
  },
  {
    probe: "secrets",
    score: "secrets",
    say: ({ value, n = 0, at }) =>
      `Anyone can read ${count(Math.round(value * n))} of the ${count(n)} secrets ${at?.kind === undefined ? "" : `of kind ${at.kind} `}that were planted in the log.`,
  },
  {
    probe: "secrets",
    score: "pattern-searches",
    say: ({ value }) =>
      `If you searched for something with a direct identifier (address, card or phone number, mail …), anyone can read it in the release in ${outOf(value)} cases.`,
  },
  {
    probe: "secrets",
    score: "pattern-released",
    say: ({ value }) => `Anyone can read a direct identifier in ${outOf(value)} texts of the release.`,
  },
  {
    probe: "secrets",
    score: "rare-names",
    say: ({ value }) =>
      `Of the log's queries that seem to name a person and that fewer than ${fewUsers} users searched for, anyone can read ${outOf(value)} in the release.`,
  },
  {
    probe: "secrets",
    score: "pattern",
    say: ({ value, at }) =>
      `Of the log's queries with ${at?.kind === undefined ? "a direct identifier" : `an identifier of kind ${at.kind}`}, anyone can read ${outOf(value)} in the release.`,
  },
  {
    probe: "dp-audit",
    score: "refuted",
    say: ({ at }) =>
      `An experiment refutes what the release claims about its noise: ${at?.table} tell more about you than ε allows.`,
  },
]

/**
 * `right for 62 of 100 people; a coin would be right for 50 of 100.` An advantage of a is (1 + a)/2 right answers per
 * question.
 */
const right = ({ value }: Score) => `right for ${outOf((1 + value) / 2)} people; a coin would be right for 50 of 100.`

/**
 * What the score of an attack means for a person in the log. An attack without a sentence of its own is described by
 * its name and summary.
 */
export function tellMeaning(
  { score, gain }: JudgedScore,
  { scores, probes }: { scores: readonly Score[]; probes: readonly AnyProbe[] },
): string {
  const whole = wholeSentences.find((rule) => isScore(score, rule))
  if (whole !== undefined) return whole.say(score, scores)
  const { value, name, probe } = score
  const { chance } = gain
  const ending = `in ${outOf(value)} cases; a guess would ${chance === 0 ? "never succeed" : `succeed in ${outOf(chance)}`}.`
  const meaning = meanings.find((rule) => isScore(score, rule))
  if (meaning !== undefined) return `${meaning.say(score)} ${ending}`
  const summary = probes.find((one) => one.name === probe)?.summary
  const attack = `The attack ${name}${summary === undefined ? "" : ` (${summary})`}`
  if (value > 1 || chance < 0) return `${attack} scores ${plain(value)}; a guess would score ${plain(chance)}.`
  return `${attack} succeeds ${ending}`
}

/** `78 of 100`, `6 of 1,000`: the smallest power of ten, from 100, at which the count does not round to 0 or to all. */
export function outOf(share: number): string {
  if (share <= 0) return "0 of 100"
  if (share >= 1) return "100 of 100"
  const rest = Math.min(share, 1 - share)
  let many = 100
  while (many < 1e9 && Math.round(rest * many) < 1) many *= 10
  return `${count(Math.round(share * many))} of ${count(many)}`
}
