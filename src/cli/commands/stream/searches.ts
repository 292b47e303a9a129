import { Type } from "#typebox"
import { outputOption } from "../../../app/options.ts"
import { reserveFile } from "../../../files/reserve.ts"
import { writeChunksWhole } from "../../../files/write-file.ts"
import { civilTimeWriter } from "../../../kernels/civil-time.ts"
import { unknownRank } from "../../../log/search-log.ts"
import { refusePrivate } from "../../../release/write-release.ts"
import { type AuditedRecord, openStreamAudit } from "../../../stream/store/audited-releases.ts"
import { defineCommand } from "../../define-command.ts"
import { required } from "../../flags.ts"

const flags = Type.Object({
  audit: Type.Optional(
    Type.String({ placeholder: "dir", description: "read the folder that stream run --audit wrote" }),
  ),
  output: outputOption("file", "write the log to this file (private)"),
  force: Type.Boolean({ default: false, description: "replace an existing file" }),
})

/** `stream searches --audit DIR -o FILE`: rebuilds the log of a stream that did not read one. */
export function searchesCommand() {
  return defineCommand({
    name: "searches",
    summary: "write the searches that a stream accepted as a log, for stream seal --against (private)",
    flags,
    help: "Searches that were withheld on arrival are not in it: without a topic, with an identifier, or repeated.",
    async run(session, given) {
      const file = required(given.output, "output")
      const audit = await openStreamAudit(required(given.audit, "audit"))
      await refusePrivate(file)
      await reserveFile(file, { force: given.force ?? false })
      let searches = 0
      await writeChunksWhole(
        file,
        linesOf(audit.records(), () => searches++),
        { mode: 0o600 },
      )
      session.answer("stream-searches", { file, searches })
      session.say(`${searches} searches: ${file}`)
      return 0
    },
  })
}

async function* linesOf(records: AsyncIterable<AuditedRecord>, count: () => void): AsyncGenerator<Uint8Array> {
  const writeTime = civilTimeWriter()
  const time = new Uint8Array(19)
  let text = "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n"
  for await (const { user, query, time: seconds, rank, url } of records) {
    count()
    writeTime(time, 0, seconds)
    const clicked = url === "" ? "" : rank === unknownRank ? "" : rank
    text += `${user}\t${query}\t${Buffer.from(time).toString("latin1")}\t${clicked}\t${url}\n`
    if (text.length < 1 << 20) continue
    yield Buffer.from(text)
    text = ""
  }
  yield Buffer.from(text)
}
