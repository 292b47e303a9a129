import { Type } from "#typebox"
import {
  answer,
  check,
  count,
  counts,
  flag,
  folder,
  number,
  optionValues,
  risk,
  state,
  table,
  text,
  texts,
  warnings,
} from "./parts.ts"
import { manifest, receipt } from "./release-files.ts"
import { outcomes } from "./score.ts"
import { attackVerdict, promiseVerdict } from "./verdicts.ts"

/** The fields needed to ask for the answer again. */
const origin = {
  queryveil: text("version of queryveil"),
  method: text(),
  release: text("id of the release"),
  seed: Type.Optional(count()),
  log: Type.Optional(text("fingerprint of the original")),
}

const option = {
  name: text("method and parameters, for people"),
  method: text(),
  parameters: optionValues("options that differ between releases"),
  risk,
  use: Type.Object({ value: number(), low: number(), high: number(), original: Type.Optional(number()) }),
}

const empty = flag("true: no row, count or profile was released (exit code 4)")

const probed = { folder, ...origin, outcomes, warnings }

/** Answers about releases. */
export const releaseAnswers = {
  anonymize: answer("anonymize", "a release that was written", {
    folder,
    manifest,
    receipt,
    empty,
    risk: Type.Optional(risk),
  }),
  plan: answer("plan", "what releases with other options would contain", {
    table: table("a row for each choice of options"),
    suggested: optionValues("the options that keep most events"),
    warnings,
  }),
  verify: answer("verify", "what a release promises, checked; also the file of --output", {
    folder,
    ...origin,
    state,
    promised: flag("false: the release promises nothing, whatever the checks found"),
    checks: Type.Array(check),
    warnings,
  }),
  attack: answer("attack", "what attacks found; also the file of --output", {
    ...probed,
    verdicts: Type.Optional(Type.Object({ attacks: attackVerdict })),
  }),
  measure: answer("measure", "what measures found; also the file of --output", probed),
  report: answer("report", "a page about a release, and what it says", {
    folder,
    page: text(),
    state,
    verdict: text("the checks in one sentence"),
    verdicts: Type.Object({ promise: promiseVerdict, attacks: attackVerdict }),
    original: Type.Enum(["same", "alike", "other", "not compared"], {
      description:
        "how the original relates to the log of the receipt; alike: other files of the same size; " +
        "not compared: no receipt or no original",
    }),
    seed: count(),
    checks: Type.Array(check),
    attacks: outcomes,
    measures: outcomes,
    warnings,
  }),
  advise: answer("advise", "which release to make of a log", {
    use: text(),
    maxRisk: number(),
    sample: Type.Object({ rows: count(), users: count(), ofRows: count(), ofUsers: count() }),
    chosen: Type.Optional(Type.Object(option)),
    safest: Type.Optional(Type.Object(option)),
    alternatives: Type.Array(Type.Object({ ...option, why: Type.Enum(["risk", "use"]) })),
    reasons: texts(),
    command: Type.Optional(text("makes the chosen release")),
    matching: Type.Optional(
      Type.Object({
        equality: count(),
        theta: number(),
        minConceptUsers: count(),
        queries: count(),
        affinity: count(),
      }),
    ),
    notChecked: texts(),
    refused: Type.Array(Type.Object({ label: text(), why: text() })),
    index: Type.Optional(text("the page of the study, if it was kept")),
    warnings,
  }),
  study: answer("study", "a study that was written", {
    folder,
    index: text("the page"),
    computed: count("points"),
    reused: count("points"),
    warnings,
  }),
  demo: answer("demo", "the demo", { folder, index: text("the page") }),
  "stream-seal": answer("stream-seal", "a release of a period of a stream", {
    folder,
    manifest,
    receipt,
    released: count(),
    covered: count(),
    sealed: count(),
    empty,
  }),
  "stream-profiles-publish": answer("stream-profiles-publish", "a release of a stream's profiles", {
    folder,
    manifest,
    releases: count("releases of the stream that are in it"),
    withheld: counts("left out, by reason"),
    empty,
  }),
}
