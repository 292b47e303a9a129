import { QueryveilError } from "../../kernels/error.ts"
import type { Converter } from "./convert-block.ts"
import { formatRegistry } from "./format-registry.ts"
import { ga4Converter } from "./ga4.ts"
import { jsonlConverter } from "./jsonl.ts"
import { matomoConverter } from "./matomo.ts"
import type { Conversion } from "./parsed-block.ts"
import { slowlogConverter } from "./slowlog.ts"
import { solrConverter } from "./solr.ts"
import { ubiConverter } from "./ubi.ts"

const builtIn: Record<string, (conversion: Conversion) => Converter> = {
  jsonl: jsonlConverter,
  ubi: ubiConverter,
  slowlog: slowlogConverter,
  solr: solrConverter,
  matomo: matomoConverter,
  ga4: ga4Converter,
}

/** The function that reads the records of a format. */
export function converterOf(conversion: Conversion): Converter {
  const { name } = conversion
  const make = builtIn[name] ?? formatRegistry.findAdded(name)?.converter
  if (make === undefined) throw new QueryveilError("internal", `This thread does not know the format ${name}.`)
  return make(conversion)
}
