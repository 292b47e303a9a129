import { Type } from "#typebox"
import { QueryveilError } from "../../../kernels/error.ts"
import { type CostLayer, costLayer, sensitiveTopics } from "../../../personal/cost-layer.ts"
import { exposeProfile, markShown } from "../../../personal/expose-profile.ts"
import { algorithms } from "../../../personal/generalisers.ts"
import { lifetimeCosts } from "../../../personal/lifetime-costs.ts"
import { type NeverTopics, neverTopics, profileWithout } from "../../../personal/never-topics.ts"
import { pathValues, topicsBroken } from "../../../personal/path-values.ts"
import { standardLifetimeDelta } from "../../../personal/personal-search.ts"
import { isEmpty, profileFrom } from "../../../personal/profile.ts"
import { noRisk } from "../../../personal/proxy/exposed.ts"
import { type RelevantTopics, relevantTopics, shareInQuery } from "../../../personal/relevant-topics.ts"
import { riskOfShown } from "../../../personal/risk.ts"
import { type ShownInFull, shownInFull } from "../../../personal/shown-in-full.ts"
import { openTaxonomy } from "../../../taxonomy/open-taxonomy.ts"
import type { Taxonomy } from "../../../taxonomy/taxonomy.ts"
import { defineCommand } from "../../define-command.ts"
import { required } from "../../flags.ts"
import type { Session } from "../../session.ts"
import { taxonomyFlags } from "../taxonomy/flags.ts"
import { decisionFlags } from "./decision-flags.ts"
import { counted, describeDecision, explainDecision, nameOf } from "./exposure-answer.ts"
import { readJsonFlag } from "./read-json.ts"
import { sayInFull } from "./say-marks.ts"

const fileFlag = (description: string) => Type.Optional(Type.String({ placeholder: "file", description }))
const share = (description: string) => Type.Optional(Type.Number({ minimum: 0, maximum: 1, description }))

/** `personal expose --taxonomy T.tsv --profile P.json --topics Q.json --sensitive S.json --delta δ` */
export function exposeCommand() {
  return defineCommand({
    name: "expose",
    summary: "show which part of a profile would go with a query, from plain files",
    flags: Type.Object({
      ...taxonomyFlags.properties,
      profile: fileFlag('read the profile: {"path": own support}'),
      topics: fileFlag('read the topics of the query: {"path": relevance}, none below another'),
      sensitive: fileFlag('read sensitive topics: {"path": sensitivity}, none below another'),
      delta: share("allow this risk, as a share of all sensitivities"),
      algorithm: Type.Enum([...algorithms], {
        default: "tree",
        description:
          "generalise by GreedyIL, GreedyDP, all subtrees (small profiles), or information weighed against risk",
      }),
      ...decisionFlags({ decision: "off" }),
      forbidAbove: Type.Optional(
        Type.Number({ minimum: 0, description: "baseline: forbid sensitivities above this (default 0, all)" }),
      ),
      seen: fileFlag('read paths that the engine has seen in this session: ["path"]'),
      sessionDelta: share("allow this risk of the session and this exposure together"),
      everSeen: fileFlag('read paths that the engine was ever shown: ["path"]'),
      lifetimeDelta: share(
        `allow this risk of everything ever shown and this exposure together (default ${standardLifetimeDelta})`,
      ),
      queryDelta: share("allow this risk, counting what the query itself reveals; 1: no bound (default 1)"),
      never: fileFlag('read topics that are never shown, with all below them: ["path"]'),
    }),
    async run(session, flags) {
      const files = {
        profile: required(flags.profile, "profile"),
        topics: required(flags.topics, "topics"),
        sensitive: required(flags.sensitive, "sensitive"),
      }
      const delta = required(flags.delta, "delta")
      const { algorithm = "tree", sessionDelta, seen, cache } = flags
      if ((seen === undefined) !== (sessionDelta === undefined))
        throw new QueryveilError("usage", "--seen and --session-delta need each other. Give both.", {
          flag: "--session-delta",
        })
      const taxonomy = await openTaxonomy(
        flags.taxonomy,
        { makesParents: true, ...(cache === undefined ? {} : { cache }) },
        session.context,
      )
      const never = neverTopics(taxonomy, flags.never === undefined ? [] : await readTopics(taxonomy, flags.never))
      const costs = await readCosts(taxonomy, files, never)
      const relevances = await readJsonFlag(files.topics, "--topics")
      const relevant = relevantTopics(
        taxonomy,
        pathValues(taxonomy, relevances, { file: files.topics, what: "relevance" }),
        { file: files.topics },
      )
      const shown = seen === undefined ? undefined : await readSeen(costs, seen, "--seen")
      const { lifetimeDelta = standardLifetimeDelta, queryDelta = 1 } = flags
      const life = await readLifetime(costs, flags.everSeen)
      const told = toldBy(life.costs, relevant)
      const decision = exposeProfile(costs, relevant, {
        delta,
        algorithm,
        never,
        decision: flags.decision ?? "off",
        ...(flags.mu !== undefined && { mu: flags.mu }),
        ...(flags.denominator !== undefined && { denominator: flags.denominator }),
        ...(shown === undefined || sessionDelta === undefined ? {} : { session: { shown, delta: sessionDelta } }),
        lifetime: { ...life, delta: lifetimeDelta },
        queries: { ...life, told, delta: queryDelta },
      })
      const bounds = [delta, lifetimeDelta, ...(sessionDelta === undefined ? [] : [sessionDelta])]
      const union = markShown(life.costs, decision.exposure, life.shown)
      const answer = {
        ...describeDecision(decision, costs, { forbidAbove: flags.forbidAbove ?? 0 }),
        lifetimeRisk: counted(life.costs, riskOfShown(life.costs, union)),
        queryRisk: counted(life.costs, riskOfShown(life.costs, union, { told })),
        inFull: shownInFull(costs, bounds),
      }
      for (const topic of decision.sensitiveInQuery) {
        const mark = never.includes(topic) ? "never shown" : "sensitive"
        session.warn(
          `the query itself is about the ${mark} topic ${nameOf(taxonomy.path(topic))}: no profile can hide that.`,
        )
      }
      warnOfMarks(session, answer, { costs, bounds })
      session.answer("personal-expose", { ...answer, algorithm, delta, lifetimeDelta, queryDelta })
      session.say(
        explainDecision(answer, {
          delta,
          lifetimeDelta,
          queryDelta,
          ...(sessionDelta !== undefined && { sessionDelta }),
        }),
      )
      return 0
    },
  })
}

/** Warns of what the marks do not cover. */
function warnOfMarks(
  session: Session,
  { inFull, sensitiveNotInProfile }: { inFull: readonly ShownInFull[]; sensitiveNotInProfile: readonly string[] },
  { costs, bounds }: { costs: CostLayer; bounds: readonly number[] },
): void {
  if (costs.total === 0) session.warn(`${noRisk}.`)
  if (inFull.length > 0) session.warn(sayInFull(inFull, Math.min(...bounds)))
  for (const path of sensitiveNotInProfile)
    session.warn(`the sensitive topic ${nameOf(path)} is not in the profile, so it adds no risk.`)
}

async function readCosts(
  taxonomy: Taxonomy,
  files: { profile: string; sensitive: string },
  never: NeverTopics,
): Promise<CostLayer> {
  const supports = await readJsonFlag(files.profile, "--profile")
  const profile = profileFrom(taxonomy, pathValues(taxonomy, supports, { file: files.profile, what: "support" }))
  if (isEmpty(profile))
    throw new QueryveilError("input-empty", `${files.profile}: the profile is empty: no topic has a support above 0.`, {
      file: files.profile,
    })
  const declared = await readJsonFlag(files.sensitive, "--sensitive")
  const pairs = pathValues(taxonomy, declared, { file: files.sensitive, what: "sensitivity", positive: true })
  return costLayer(profileWithout(profile, never), sensitiveTopics(taxonomy, pairs, { file: files.sensitive }))
}

async function readPaths(file: string, flag: string): Promise<string[]> {
  const paths = await readJsonFlag(file, flag)
  if (!Array.isArray(paths) || !paths.every((path) => typeof path === "string"))
    throw topicsBroken("expected a list of paths.", file)
  return paths
}

async function readTopics(taxonomy: Taxonomy, file: string): Promise<number[]> {
  return (await readPaths(file, "--never")).map((path) => {
    const topic = taxonomy.find(path)
    if (topic <= 0) throw topicsBroken(`there is no topic ${JSON.stringify(path)} in the taxonomy.`, file)
    return topic
  })
}

async function readSeen(costs: CostLayer, file: string, flag: string): Promise<Uint8Array> {
  return markShown(costs, { paths: await readPaths(file, flag) })
}

/** What was ever shown. Topics that were shown and are sensitive count, even if the profile no longer has them. */
async function readLifetime(costs: CostLayer, file: string | undefined) {
  const paths = file === undefined ? [] : await readPaths(file, "--ever-seen")
  const life = lifetimeCosts(costs, { shown: new Set(paths), lost: new Map() })
  return { costs: life.costs, shown: markShown(life.costs, { paths }) }
}

function toldBy({ profile, sensitive }: CostLayer, relevant: RelevantTopics): Float64Array {
  const told = new Float64Array(profile.size)
  for (const node of sensitive) told[node] = shareInQuery(profile.taxonomy, relevant, profile.topic[node] ?? 0)
  return told
}
