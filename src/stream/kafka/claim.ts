import { QueryveilError } from "../../kernels/error.ts"
import type { PartitionOffset } from "./kafka-library.ts"

const mark = "queryveil store "

/** The note next to a committed offset: the store of the stream that committed it, and more that it wants to keep. */
export const claimText = (store: string, more = "") => `${mark}${store}${more === "" ? "" : ` ${more}`}`

/** The store in a note; undefined if there is no note, or one of another program. */
export function claimedBy({ metadata }: PartitionOffset): string | undefined {
  return metadata?.startsWith(mark) ? metadata.slice(mark.length).split(" ")[0] : undefined
}

/** The error that another stream works on the topic. */
export function claimedElsewhere(
  topic: string,
  { group, store, does }: { group: string; store: string; does: "reads" | "writes" },
): QueryveilError {
  return new QueryveilError(
    "kafka-claimed",
    [
      `kafka topic ${topic}: another stream ${does} it (store ${store}).`,
      "Two streams would release the same searches in two ways, which can be compared.",
      `Stop it and use its store. If that store is gone for good, delete the consumer group ${group} and start again.`,
    ].join(" "),
  )
}
