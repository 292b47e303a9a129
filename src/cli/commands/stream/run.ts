import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { openLog } from "../../../app/open-log.ts"
import { createContext, type RunContext } from "../../../kernels/context.ts"
import { QueryveilError } from "../../../kernels/error.ts"
import { depthOf } from "../../../methods/swap/options.ts"
import { planBranches } from "../../../methods/swap/plan-branches.ts"
import { refusePrivate } from "../../../release/write-release.ts"
import { writeToken } from "../../../server/frame/tokens.ts"
import { urlOf } from "../../../stream/address.ts"
import type { LiveStream } from "../../../stream/live/live-stream.ts"
import { openLiveStream } from "../../../stream/live/open-live-stream.ts"
import { completeLiveOptions, type LiveOptions, liveOptions } from "../../../stream/live/options.ts"
import { serveStream } from "../../../stream/serve-stream.ts"
import { openStore } from "../../../stream/store/open-store.ts"
import type { StreamStore } from "../../../stream/store/store.ts"
import { serviceWarning } from "../../../taxonomy/classify/open-classifier.ts"
import { taxonomyFingerprint } from "../../../taxonomy/fingerprint.ts"
import { openTaxonomy } from "../../../taxonomy/open-taxonomy.ts"
import { defineCommand } from "../../define-command.ts"
import { readFileFlags } from "../../file-flags.ts"
import { required } from "../../flags.ts"
import type { Session } from "../../session.ts"
import { runFlags } from "./flags.ts"
import { ManifestKeeper, manifestPath } from "./manifest-keeper.ts"
import { openPlaces, type Plan, planRun, type RunFlags } from "./places.ts"
import { StatusDisplay } from "./status-display.ts"
import { promiseText, reportRun } from "./summary.ts"

/** `stream run --store DIR [--input PLACE] [--output PLACE]` */
export function runCommand() {
  return defineCommand({
    name: "run",
    summary: "release each search as it arrives, under another user of its topic; a crash loses nothing",
    flags: runFlags,
    help: [
      "The first SIGINT or SIGTERM ends the input, writes what is due and makes a checkpoint.",
      "It waits for an output that takes nothing; what it lacks is in the store. A second one ends at once.",
      "See docs/stream-http.md.",
    ].join("\n"),
    run: (session, flags) => runStream(session, flags),
  })
}

async function runStream(session: Session, flags: RunFlags): Promise<number> {
  const store = required(flags.store, "store")
  const plan = planRun(flags)
  if (flags.audit !== undefined) await refusePrivate(flags.audit)
  const options = await completeLive(flags)
  for (const text of warningsOf(options)) session.warn(text)
  // Records that were accepted are processed to the end: a signal stops the inputs, not the stream.
  const { signal } = session.context
  const context: RunContext = createContext({ workers: session.context.workers, report: session.context.report })
  const taxonomy = await openTaxonomy(
    options.taxonomy,
    flags.cache === undefined ? {} : { cache: flags.cache },
    context,
  )
  const branches = await branchesOf(flags, options, session)
  let full = false
  await mkdir(store, { recursive: true, mode: 0o700 })
  const opened = await openStore(store, {
    mode: options.mode,
    taxonomy: taxonomyFingerprint(taxonomy),
    remember: options.remember,
    checkpointSeconds: options.checkpoint,
    ...(flags.audit !== undefined && { audit: flags.audit }),
    now: context.now,
    onDamage: (message) => session.warn(message),
    onFull(now, what) {
      if (what === "journal") full = now
      session.warn(now ? noRoom[what] : "There is room again.")
    },
  })
  const speech = { warn: (text: string) => session.warn(text), note: (text: string) => session.note(text) }
  const adminToken =
    plan.admin === undefined ? undefined : await closing(opened, writeToken(join(store, "admin-token")))
  const places = await closing(opened, openPlaces(plan, flags, { ...speech, store, adminToken }))
  const release = () => {
    session.note("stopping: accepted searches are written first; a second signal ends at once")
    plan.httpEndpoint.release()
  }
  signal.addEventListener("abort", release)
  if (signal.aborted) release()
  try {
    const parts = {
      store: opened,
      output: places.output,
      taxonomy,
      branches,
      to: plan.to,
      isFull: () => full,
      warn: speech.warn,
    }
    const stream = await closing(opened, openLiveStream(options, parts, context))
    return await superviseRun(stream, { session, plan, adminToken, inputs: places.inputs, signal })
  } finally {
    signal.removeEventListener("abort", release)
    await plan.httpEndpoint.close()
  }
}

const noRoom = {
  journal: "The disk of the store is full. No search is accepted until there is room.",
  checkpoint:
    "The disk of the store has no room for a checkpoint. It is tried again. Until then a restart takes longer.",
}

async function superviseRun(
  stream: LiveStream,
  options: {
    session: Session
    plan: Plan
    adminToken: string | undefined
    inputs: Parameters<typeof serveStream>[1]["inputs"]
    signal: AbortSignal
  },
): Promise<number> {
  const { session, plan, adminToken, inputs, signal } = options
  const { resumed } = stream
  if (resumed.cut > 0) session.warn(`The journal ended in the middle of a commit: ${resumed.cut} bytes were cut off.`)
  const { promised, reasons } = stream.figures()
  if (promised) session.note(promiseText({ promised, reasons }))
  else session.warn(promiseText({ promised, reasons }))
  const admin =
    plan.admin === undefined || adminToken === undefined
      ? undefined
      : await (await loadAdmin()).openAdmin(stream, { ...plan.admin, token: adminToken }).catch(async (error) => {
          await stream.close()
          throw error
        })
  if (admin !== undefined) {
    const url = urlOf(admin.address)
    // The token is for the person at this terminal, not for a log file.
    session.note(process.stderr.isTTY ? `live page: ${url}/#token=${adminToken}` : `live page: ${url}/`)
  }
  const display = new StatusDisplay(stream, session)
  const { output } = plan
  const manifest =
    output.scheme === "file"
      ? await ManifestKeeper.open(stream, { path: manifestPath(output.name), now: session.context.now })
      : undefined
  try {
    await serveStream(stream, { inputs, signal })
  } finally {
    display.close()
    await manifest?.close()
    await admin?.close()
  }
  reportRun(stream, session, { toStdout: plan.output.scheme !== "-" })
  return 0
}

/** The server is loaded only if it is needed: that takes longer than loading everything else in a stream. */
const loadAdmin = () => import("../../../server/admin/admin-server.ts")

/** Closes the store if the work fails: an error before the stream owns the store must not leave it locked. */
async function closing<T>(store: StreamStore, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    await store.close().catch(() => {})
    throw error
  }
}

async function completeLive(flags: RunFlags): Promise<LiveOptions> {
  const { depth: text = "auto", ...rest } = flags
  const chosen = Object.fromEntries(Object.entries(rest).filter(([key]) => key in liveOptions.properties))
  const depth = depthOf({ depth: text })
  const given = await readFileFlags(liveOptions, { ...chosen, ...(depth !== undefined && { depth }) })
  return completeLiveOptions(given, flags.preset)
}

/** With --depth auto, the categories from a first period, or those that the store has. */
async function branchesOf(
  { depth, firstPeriod, maxDelay, cache: _taxonomys, ...flags }: RunFlags, // a cache would be a copy of the log
  options: LiveOptions,
  session: Session,
): Promise<readonly string[] | "kept" | undefined> {
  if (depth !== "auto") {
    if (firstPeriod === undefined && maxDelay === undefined) return undefined
    throw new QueryveilError("usage", "--first-period and --max-delay need --depth auto.", { flag: "--depth" })
  }
  if (firstPeriod === undefined) return "kept"
  const { log } = await openLog(firstPeriod, flags, session.context)
  const branches = await planBranches(log, { ...options, maxDelay }, session.context)
  session.note(`depth auto: users are swapped within ${branches.length} topics`)
  return branches
}

function warningsOf(options: LiveOptions): string[] {
  const service = serviceWarning(options.classifier)
  return [
    ...(options.users === "keep" ? ["--users keep shows the log's own ids of users."] : []),
    ...(options.urls === "keep" ? ["--urls keep shows every clicked url, which may identify the user."] : []),
    ...(service === undefined ? [] : [service]),
  ]
}
