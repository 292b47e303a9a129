import type { RunContext } from "../../kernels/context.ts"
import { taxonomyFingerprint } from "../../taxonomy/fingerprint.ts"
import { openTaxonomy } from "../../taxonomy/open-taxonomy.ts"
import { openStore } from "../store/open-store.ts"
import type { LiveStream } from "./live-stream.ts"
import { openLiveStream } from "./open-live-stream.ts"
import { completeLiveOptions, type LiveOptions, type OutputFormat } from "./options.ts"
import type { StreamOutput } from "./transport.ts"

/**
 * Starts a stream with its store in a folder, or resumes the one that is there. This is the short way for a program. A
 * program with its own store or taxonomy calls `openStore` and `openLiveStream`.
 */
export async function startStream(
  folder: string,
  given: Partial<LiveOptions>,
  parts: { output: StreamOutput; to?: OutputFormat; warn?: (text: string) => void; audit?: string },
  context: RunContext,
): Promise<LiveStream> {
  const options = completeLiveOptions(given)
  const taxonomy = await openTaxonomy(options.taxonomy, {}, context)
  let full = false
  const store = await openStore(folder, {
    mode: options.mode,
    taxonomy: taxonomyFingerprint(taxonomy),
    remember: options.remember,
    checkpointSeconds: options.checkpoint,
    ...(parts.audit !== undefined && { audit: parts.audit }),
    now: context.now,
    ...(parts.warn !== undefined && { onDamage: parts.warn }),
    onFull: (now) => {
      full = now
    },
  })
  return openLiveStream(options, { to: "jsonl", ...parts, store, taxonomy, isFull: () => full }, context)
}
