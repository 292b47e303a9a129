import { QueryveilError } from "../../../kernels/error.ts"
import { checkEncoding } from "../../../log/decode.ts"
import { parseColumns } from "../../../log/formats/columns.ts"
import { jsonPathReader } from "../../../log/formats/json-path.ts"
import { checkStreamEncoding, type LineChoice } from "../../../stream/inputs/line-format.ts"
import type { Given } from "../../flags.ts"
import type { runFlags } from "./flags.ts"

/** What the flags say about how lines become records. */
export function lineChoiceOf({
  format = "auto",
  columns,
  jsonPath,
  unit = "user",
  encoding,
}: Pick<Given<typeof runFlags>, "format" | "columns" | "jsonPath" | "unit" | "encoding">): LineChoice {
  if (encoding !== undefined) {
    checkEncoding(encoding)
    checkStreamEncoding(encoding)
  }
  if (jsonPath !== undefined) jsonPathReader(jsonPath, "--json-path")
  if (format === "parquet")
    throw new QueryveilError("usage", "--format parquet cannot be read line by line. Convert it to NDJSON first.", {
      flag: "--format",
    })
  return { format, columns: columns === undefined ? undefined : parseColumns(columns), jsonPath, unit, encoding }
}
