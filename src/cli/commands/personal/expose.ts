import { Type } from "#typebox"
import { QueryveilError } from "../../../kernels/error.ts"
import { tableOf } from "../../../methods/table.ts"
import { type CostLayer, costLayer, sensitiveTopics } from "../../../personal/cost-layer.ts"
import { type Decision, exposeProfile, markShown, type Outcome } from "../../../personal/expose-profile.ts"
import { metricsOf, stepsOf, wholeSeed } from "../../../personal/generalise.ts"
import { algorithms } from "../../../personal/generalisers.ts"
import { pathValues, topicsBroken } from "../../../personal/path-values.ts"
import { isEmpty, profileFrom } from "../../../personal/profile.ts"
import { queryClass } from "../../../personal/query-classes.ts"
import { relevantTopics } from "../../../personal/relevant-topics.ts"
import { exposureRisk } from "../../../personal/risk.ts"
import { nodeOf } from "../../../personal/topic-tree.ts"
import { openTaxonomy } from "../../../taxonomy/open-taxonomy.ts"
import type { Taxonomy } from "../../../taxonomy/taxonomy.ts"
import { defineCommand } from "../../define-command.ts"
import { required } from "../../flags.ts"
import { textTable } from "../../print.ts"
import { taxonomyFlags } from "../taxonomy/flags.ts"
import { readJsonFlag } from "./read-json.ts"

const fileFlag = (description: string) => Type.Optional(Type.String({ placeholder: "file", description }))
const share = (description: string) => Type.Optional(Type.Number({ minimum: 0, maximum: 1, description }))

/** `personal expose --taxonomy T.tsv --profile P.json --topics Q.json --sensitive S.json --delta δ` */
export function exposeCommand() {
  return defineCommand({
    name: "expose",
    summary: "one generalisation on plain files: what of a profile would go with a query",
    flags: Type.Object({
      ...taxonomyFlags.properties,
      profile: fileFlag('the profile: {"path": own support}'),
      topics: fileFlag('what the query is about: {"path": relevance}, none below another'),
      sensitive: fileFlag('sensitive topics: {"path": sensitivity}, none below another'),
      delta: share("most risk, as a share of all sensitivities"),
      algorithm: Type.Enum([...algorithms], {
        default: "tree",
        description: "GreedyIL, GreedyDP, all subtrees (small profiles), or information weighed against risk",
      }),
      seen: fileFlag('paths that the engine has seen already: ["path"]'),
      sessionDelta: share("most risk of what was seen and this together"),
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
        throw new QueryveilError("usage", "--seen and --session-delta belong together.", { flag: "--session-delta" })
      const taxonomy = await openTaxonomy(
        flags.taxonomy,
        { makesParents: true, ...(cache === undefined ? {} : { cache }) },
        session.context,
      )
      const costs = await readCosts(taxonomy, files)
      const relevances = await readJsonFlag(files.topics, "--topics")
      const relevant = relevantTopics(
        taxonomy,
        pathValues(taxonomy, relevances, { file: files.topics, what: "relevance" }),
        { file: files.topics },
      )
      const shown = seen === undefined ? undefined : await readSeen(costs, seen)
      const decision = exposeProfile(costs, relevant, {
        delta,
        algorithm,
        always: true,
        ...(shown === undefined || sessionDelta === undefined ? {} : { session: { shown, delta: sessionDelta } }),
      })
      const answer = describe(decision, costs)
      for (const path of answer.sensitiveInQuery)
        session.warn(`the query itself is about the sensitive topic ${name(path)}: no profile can hide that.`)
      for (const path of answer.sensitiveNotInProfile)
        session.warn(`the sensitive topic ${name(path)} is not in the profile, so it counts for nothing.`)
      session.answer({ ...answer, algorithm, delta })
      session.say(explain(answer, { delta, ...(sessionDelta === undefined ? {} : { sessionDelta }) }))
      return 0
    },
  })
}

async function readCosts(taxonomy: Taxonomy, files: { profile: string; sensitive: string }): Promise<CostLayer> {
  const supports = await readJsonFlag(files.profile, "--profile")
  const profile = profileFrom(taxonomy, pathValues(taxonomy, supports, { file: files.profile, what: "support" }))
  if (isEmpty(profile))
    throw new QueryveilError("input-empty", `${files.profile}: the profile is empty: no topic has a support above 0.`, {
      file: files.profile,
    })
  const declared = await readJsonFlag(files.sensitive, "--sensitive")
  const pairs = pathValues(taxonomy, declared, { file: files.sensitive, what: "sensitivity", positive: true })
  return costLayer(profile, sensitiveTopics(taxonomy, pairs, { file: files.sensitive }))
}

async function readSeen(costs: CostLayer, file: string): Promise<Uint8Array> {
  const paths = await readJsonFlag(file, "--seen")
  if (!Array.isArray(paths) || !paths.every((path) => typeof path === "string"))
    throw topicsBroken("expected a list of paths.", file)
  return markShown(costs, { paths })
}

/** The answer for machines. */
function describe(decision: Decision, costs: CostLayer) {
  const { outcome, exposure, powerWithoutProfile, seed, generalisation, metrics, util } = decision
  const { taxonomy } = costs.profile
  const model = seed === undefined ? undefined : exposureRisk(seed, costs)
  const paths = (topics: Iterable<number>) => Array.from(topics, (topic) => taxonomy.path(topic))
  return {
    outcome,
    kept: exposure.paths,
    dpWithoutProfile: powerWithoutProfile,
    queryClass: queryClass(powerWithoutProfile),
    util: util ?? null,
    /** Risk of the root alone: no δ below it lets anything be shown. */
    floor: costs.total === 0 ? 0 : (costs.cost[0] ?? 0) / costs.total,
    seed: seed === undefined || model === undefined ? null : metricsOf(seed, model, wholeSeed(seed)),
    exposed: metrics ?? null,
    gap: generalisation?.gap ?? null,
    taken: generalisation?.taken ?? 0,
    steps:
      seed === undefined || model === undefined || generalisation === undefined
        ? []
        : stepsOf(seed, model, generalisation.order),
    sensitiveInQuery: paths(decision.sensitiveInQuery),
    sensitiveNotInProfile: paths(costs.declared.topic.filter((topic) => nodeOf(costs.profile, topic) < 0)),
  }
}

const name = (path: string) => (path === "" ? "(root)" : path)

function explain(answer: ReturnType<typeof describe>, limits: { delta: number; sessionDelta?: number }): string {
  const { outcome, kept, seed, exposed, steps, taken } = answer
  const rows = [
    ...(seed === null ? [] : [{ pruned: "(seed profile)", ...seed }]),
    ...steps.map((step, i) => ({ ...step, pruned: `${step.pruned}${i >= taken ? "  (not needed)" : ""}` })),
  ].map(({ pruned, PG, TS, DP, risk }) => [pruned, ...[PG, TS, DP, risk].map((value) => value.toFixed(4))])
  const power = `DP of the query alone ${answer.dpWithoutProfile.toFixed(4)} (${answer.queryClass})`
  const gained = exposed === null ? "" : `, with what is kept ${exposed.DP.toFixed(4)}, risk ${exposed.risk.toFixed(4)}`
  return [
    ...(rows.length === 0 ? [] : [textTable(tableOf(["pruned", "PG", "TS", "DP", "risk"], rows)), ""]),
    `${power}${gained}.`,
    ...(answer.util !== null && answer.util <= 0 ? ["The profile is worth no more than none: util ≤ 0."] : []),
    ...(kept.length === 0 ? [`Nothing is exposed: ${reasons(answer, limits)[outcome]}.`] : ["", ...kept.map(name)]),
  ].join("\n")
}

function reasons(
  { floor }: { floor: number },
  { delta, sessionDelta }: { delta: number; sessionDelta?: number },
): Record<Outcome, string> {
  return {
    exposed: "",
    "no-topic": "no topic of the query is in the profile",
    "distinct-query": "the query is distinct by itself",
    "over-delta": `the root alone has a risk of ${floor.toFixed(4)}, over the δ of ${delta}`,
    "over-session-delta": `with what was seen already the risk would be over ${sessionDelta}`,
    "no-gain": "the profile is worth no more than none",
  }
}
