import type { Converter } from "./convert-block.ts"
import { ga4Converter } from "./ga4.ts"
import { jsonlConverter } from "./jsonl.ts"
import { matomoConverter } from "./matomo.ts"
import type { Conversion } from "./parsed-block.ts"
import { slowlogConverter } from "./slowlog.ts"
import { solrConverter } from "./solr.ts"
import { ubiConverter } from "./ubi.ts"

/** How the records of each format are read. */
export const converters: Record<Conversion["name"], (conversion: Conversion) => Converter> = {
  jsonl: jsonlConverter,
  ubi: ubiConverter,
  slowlog: slowlogConverter,
  solr: solrConverter,
  matomo: matomoConverter,
  ga4: ga4Converter,
}
