import { clusterSchemes, parseClusterAddress } from "../../cluster/cluster-address.ts"
import { QueryveilError } from "../../kernels/error.ts"
import { indexOutput } from "../outputs/index-output.ts"
import type { Transport } from "./transport.ts"

/** Indices of OpenSearch and Elasticsearch as outputs. Secrets come from the environment. */
export const clusterTransports: readonly Transport[] = clusterSchemes.map((scheme) => ({
  name: scheme,
  form: `${scheme.replace(/\+.*/, "")}://HOST:9200/INDEX`,
  find(rest, flag) {
    const address = parseClusterAddress(`${scheme}:${rest}`, flag)
    const refuse = (what: string) => new QueryveilError("option-value", `${flag} ${address.name}: ${what}`, { flag })
    if (/[,*<]/.test(address.index)) throw refuse("an output is one index. Name one, without commas or stars.")
    return {
      name: address.name,
      to: "jsonl",
      output: ({ warn, force }) => indexOutput(address, { warn, force }),
    }
  },
}))
