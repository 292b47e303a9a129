import { openRemoteLog } from "../engine/open-remote-log.ts"
import type { RemoteLog } from "../engine/remote-log.ts"
import type { RunContext } from "../kernels/context.ts"
import { QueryveilError } from "../kernels/error.ts"
import { parseColumns } from "../log/formats/columns.ts"
import { describeReading } from "../log/formats/reading.ts"
import type { ReadResult } from "../log/parse-sources.ts"
import { readOptions } from "../log/read-log.ts"
import { warn } from "./open-log.ts"
import { type LogOptions, pickOptions } from "./options.ts"
import { flagName } from "./shell-words.ts"

/** Options of reading that an engine follows. The others are about files on this machine. */
const followed = ["columns", "unit"]

/** Opens a log of an engine, and reports which columns are read. Refuses options that an engine does not follow. */
export async function openRemote(
  paths: readonly string[],
  { engine, ...options }: LogOptions & { engine: string },
  context: RunContext,
): Promise<RemoteLog> {
  const given = { ...pickOptions(readOptions, options), ...(options.rejects !== undefined && { rejects: true }) }
  const lost = Object.keys(given).find((key) => !followed.includes(key))
  if (lost !== undefined)
    throw new QueryveilError("usage", `${flagName(lost)} is for files that are read on this machine. Leave it out.`, {
      flag: flagName(lost),
    })
  const [log, ...more] = paths
  if (log === undefined || more.length > 0)
    throw new QueryveilError("usage", "An engine reads one table, or the files of one path. Name one.")
  const { columns, unit } = options
  const how = { ...(columns !== undefined && { columns: parseColumns(columns) }), ...(unit && { unit }) }
  const remote = await openRemoteLog(engine, log, how, context)
  const { read, unit: counted } = remote.intake
  for (const reading of read) context.notify?.({ kind: "note", text: describeReading(reading, counted) })
  return remote
}

/** Reads a log of an engine into the memory of this machine, for what needs its rows here. */
export async function readRemote(
  paths: readonly string[],
  options: LogOptions & { engine: string },
  context: RunContext,
): Promise<ReadResult> {
  const remote = await openRemote(paths, options, context)
  try {
    return await readFrom(remote, context)
  } finally {
    await remote.close()
  }
}

/** The rows of a log that an engine has opened. */
export async function readFrom(remote: RemoteLog, context: RunContext): Promise<ReadResult> {
  if (remote.read === undefined)
    throw new QueryveilError("remote-refused", "This engine does not give its rows to this machine.")
  const result = await remote.read(context)
  for (const text of [...result.intake.warnings, ...result.intake.doubts]) warn(context, text)
  return result
}
