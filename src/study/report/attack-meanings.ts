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

const earlier = "An attacker who knows your earlier searches"
const second = "An attacker who holds a second release of an overlapping time"
const typed = "An attacker who saw you type a query that the release shows"
const halfKnown = "An attacker who knows half of your searches"
/** The attacker of a recall at 90 % precision. */
const precise = ", and answers only if nine in ten answers are right,"

const knownSearches = ({ at }: Score) => (at?.known === 1 ? "one of your searches" : `${at?.known} of your searches`)

function attackerOf({ at }: Score): string {
  const how = linkageAttackers.find(({ name }) => name === at?.attacker)?.summary
  return how === undefined ? `The attacker “${at?.attacker}”` : `An attacker who ${how} (${at?.attacker})`
}

const meanings: readonly Meaning[] = [
  { probe: "profile", score: "record", say: () => `${earlier} recognises a later search as yours` },
  { probe: "profile", score: "record-recall", say: () => `${earlier}${precise} recognises a later search as yours` },
  { probe: "profile", score: "name", say: () => `${earlier} recognises a name in the release as yours` },
  {
    probe: "profile",
    score: "name-recall",
    say: () => `${earlier}${precise} recognises a name in the release as yours`,
  },
  {
    probe: "linkage",
    score: "linkage",
    at: { among: "named" },
    say: (score) => `${attackerOf(score)} names you for one of your searches, where they name anybody,`,
  },
  { probe: "linkage", score: "linkage", say: (score) => `${attackerOf(score)} names you for one of your searches` },
  {
    probe: "linkage",
    score: "known-searches",
    say: (score) => `An attacker who knows ${knownSearches(score)} in the release finds your name there`,
  },
  {
    probe: "linkage",
    score: "original-pairs",
    say: () => "An attacker who believes every row is right about what the person behind a name searched for",
  },
  {
    probe: "intersection",
    score: "intersection",
    say: () => `${second} finds your name there from your name in this one`,
  },
  {
    probe: "intersection",
    score: "recall",
    say: () => `${second}${precise} finds your name there from your name in this one`,
  },
  { probe: "known-query", score: "one", say: () => `${typed} knows at once which user of the log you are` },
  {
    probe: "injection",
    score: "injection",
    say: ({ at }) => {
      const accounts = `${at?.accounts} ${at?.accounts === 1 ? "account" : "accounts"}`
      return `An attacker with ${accounts} who types your private words next to a frequent query gets them published`
    },
  },
  {
    probe: "interests",
    score: "interests",
    say: () => `${halfKnown} guesses a topic of the other half from the nearest profile, and is right`,
  },
  { probe: "interests", score: "own-profile", say: () => `${halfKnown} finds the profile that you are part of` },
]

/** Sentences that do not end with the success rate of a guess. */
const wholeSentences: readonly (ScoreKey & { say(score: Score, scores: readonly Score[]): string })[] = [
  {
    probe: "membership",
    score: "membership",
    say: (score) => `An attacker who knows your searches says whether you are in the log. ${right(score)}`,
  },
  {
    probe: "membership",
    score: "informed",
    say: (score) =>
      `An attacker who knows your searches and everyone else's says whether you are in the log. ${right(score)}`,
  },
  {
    probe: "known-query",
    score: "under-k",
    say: ({ value }, scores) => {
      const one = findScore(scores, { probe: "known-query", score: "one" })?.value ?? 0
      const alone = one > 0 ? `, and to you alone in ${outOf(one)}` : ""
      return `${typed} narrows you down to fewer than k users of the log in ${outOf(value)} cases${alone}.`
    },
  },
  {
    probe: "secrets",
    score: "secrets",
    say: ({ value, n = 0, at }) => {
      const secrets = at?.kind === undefined ? "secrets" : `secrets of kind ${at.kind}`
      const read = count(Math.round(value * n))
      return `Anyone can read ${read} of the ${count(n)} ${secrets} that were planted in the log.`
    },
  },
  {
    probe: "secrets",
    score: "pattern-searches",
    say: ({ value }) =>
      [
        "If you searched for something with a direct identifier (address, card or phone number, e-mail …),",
        `anyone can read it in the release in ${outOf(value)} cases.`,
      ].join(" "),
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
      [
        `Of the log's queries that seem to name a person and that fewer than ${fewUsers} users searched for,`,
        `anyone can read ${outOf(value)} in the release.`,
      ].join(" "),
  },
  {
    probe: "secrets",
    score: "pattern",
    say: ({ value, at }) => {
      const identifier = at?.kind === undefined ? "a direct identifier" : `an identifier of kind ${at.kind}`
      return `Of the log's queries with ${identifier}, anyone can read ${outOf(value)} in the release.`
    },
  },
  {
    probe: "dp-audit",
    score: "refuted",
    say: ({ at }) =>
      [
        "An experiment refutes what the release claims about its noise:",
        `its counts of ${at?.table} reveal more about you than ε allows.`,
      ].join(" "),
  },
]

/**
 * `They are right for 62 of 100 people; a coin would be right for 50 of 100.` An advantage of a is (1 + a)/2 right
 * answers per question.
 */
const right = ({ value }: Score) =>
  `They are right for ${outOf((1 + value) / 2)} people; a coin would be right for 50 of 100.`

/**
 * What the score of an attack means for a person in the log. An attack without a sentence of its own is described by
 * its name and summary.
 */
export function describeMeaning(
  { score, gain }: JudgedScore,
  { scores, probes }: { scores: readonly Score[]; probes: readonly AnyProbe[] },
): string {
  const whole = wholeSentences.find((rule) => isScore(score, rule))
  if (whole !== undefined) return whole.say(score, scores)
  const { value, name, probe } = score
  const { chance } = gain
  const guess = chance === 0 ? "never succeed" : `succeed in ${outOf(chance)}`
  const ending = `in ${outOf(value)} cases; a guess would ${guess}.`
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
