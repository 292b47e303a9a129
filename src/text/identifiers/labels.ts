import { QueryveilError } from "../../kernels/error.ts"
import { normaliseQuery } from "../normalise.ts"
import { type IdentifierKind, identifierKinds, isIdentifierKind } from "./kinds.ts"

/**
 * One judgement: does the query contain an identifier of the kind. A query may have several. `none` is the kind of a
 * harmless query that resembles no kind in particular.
 */
export interface LabelledQuery {
  query: string
  kind: IdentifierKind | "none"
  isPii: boolean
}

const columns = ["query", "kind", "is_pii"]

/**
 * Reads labels from tab-separated text with a header. Columns may be in any order, and others are ignored. is_pii is
 * 1/0, true/false or yes/no.
 */
export function parseLabels(text: string, options: { file?: string } = {}): LabelledQuery[] {
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/)
  const header = (lines[0] ?? "").split("\t").map((name) => name.trim().toLowerCase())
  const [queryAt, kindAt, piiAt] = columns.map((name) => header.indexOf(name))
  if (queryAt < 0 || kindAt < 0 || piiAt < 0) {
    throw refuse("The first line of the labels must name the columns query, kind and is_pii, with tabs between.", 1)
  }
  const labels: LabelledQuery[] = []
  for (let i = 1; i < lines.length; i++) {
    if (lines[i].trim() === "") continue
    const cells = lines[i].split("\t")
    const kind = cells[kindAt]?.trim() ?? ""
    const isPii = piiValues.get(cells[piiAt]?.trim().toLowerCase() ?? "")
    const query = normaliseQuery(cells[queryAt] ?? "")
    if (kind !== "none" && !isIdentifierKind(kind)) {
      throw refuse(
        `The labels have an unknown kind in line ${i + 1}. Use none or one of ${identifierKinds.join(", ")}.`,
        i + 1,
      )
    }
    if (isPii === undefined || (isPii && kind === "none") || query === "") {
      throw refuse(`Line ${i + 1} of the labels needs a query, and is_pii 1 or 0; 1 only with a kind.`, i + 1)
    }
    labels.push({ query, kind, isPii })
  }
  return labels

  function refuse(message: string, line: number): QueryveilError {
    return new QueryveilError("input-rows", message, {
      line,
      ...(options.file === undefined ? {} : { file: options.file }),
    })
  }
}

const piiValues = new Map([
  ["1", true],
  ["true", true],
  ["yes", true],
  ["0", false],
  ["false", false],
  ["no", false],
])
