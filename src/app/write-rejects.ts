import { refuseInput } from "../files/reserve.ts"
import { writeFileWhole } from "../files/write-file.ts"
import { rejectReasons } from "../log/formats/parsed-block.ts"
import { type Intake, locateLine } from "../log/intake.ts"
import { refusePrivate } from "../release/write-release.ts"

/** Writes file, line number and reason for every line that is not a row. Never writes the text of the line. */
export async function writeRejects(path: string, { files, rejects }: Intake): Promise<void> {
  const lines = ["file\tline\treason"]
  rejects.line.forEach((line, i) => {
    const place = locateLine(files, line)
    lines.push(`${place.file}\t${place.line}\t${rejectReasons[rejects.reason[i] ?? 0]}`)
  })
  await refusePrivate(path)
  await refuseInput(path, files)
  await writeFileWhole(path, `${lines.join("\n")}\n`, { mode: 0o600 })
}
