import { Type } from "#typebox"
import { decisionSchema } from "../../project/signature.ts"
import { reportSummarySchema } from "../../study/report/report-summary.ts"
import { overlapReasons, signedStates } from "../project/list-releases.ts"
import { answer, count, optionValues, text, texts } from "./parts.ts"

/** Answers about a project. */
export const studioAnswers = {
  studio: answer("studio", "the address of the page, once it answers", {
    url: text("with the token"),
    project: text("the folder, as it was given"),
    folders: texts("from which files may be chosen"),
  }),
  "studio-decision": answer("studio-decision", "a decision about a release that was recorded", {
    release: text("its name in the project"),
    decision: Type.Enum(["signed", "refused"]),
    number: count("of the entry in the project's record"),
    digest: text("of the entry"),
    facts: decisionSchema,
  }),
  "studio-hand-out": answer("studio-hand-out", "a copy of a signed release", {
    release: text(),
    to: text(),
    files: Type.Array(Type.Object({ path: text(), sha256: text() })),
  }),
  "studio-register": answer("studio-register", "the releases of a project", {
    releases: Type.Array(
      Type.Object({
        name: text(),
        id: text(),
        method: text(),
        parameters: optionValues("options of the method"),
        made: text(),
        rows: count(),
        logs: texts("SHA-256 of the files of its log"),
        period: Type.Optional(Type.Object({ first: text(), last: text() })),
        state: Type.Enum([...signedStates]),
        decision: Type.Optional(Type.Object({ name: text(), date: text(), reason: text() })),
        problem: Type.Optional(text("why the signature does not match")),
        summary: Type.Optional(reportSummarySchema),
        handedOut: Type.Array(Type.Object({ to: text(), at: text() })),
      }),
    ),
    overlaps: Type.Array(Type.Object({ releases: texts("two names"), why: Type.Enum([...overlapReasons]) })),
    ledger: Type.Record(Type.String(), Type.Any(), { description: "what was spent of each log" }),
    broken: Type.Array(Type.Object({ name: text(), why: text() })),
  }),
}
