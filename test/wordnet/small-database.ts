import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const licence = "  1 This is the licence.  \n"
const synsets = [
  { line: "03 n 01 entity 0 001 ~ # n 0000 | that which is  ", at: 0 },
  { line: '05 n 02 dog 0 domestic_dog 1 002 @ 0 n 0000 ~ 2 n 0000 | barks; "a dog"  ', at: 1 },
  { line: "05 n 01 Rex 0 001 @i 1 n 0000 | a dog of that name  ", at: 2 },
]

/** The files of a database of three nouns, with the byte offsets that the format requires. */
function smallFiles(): Record<string, string> {
  const offsets: number[] = []
  let end = licence.length
  for (const { line } of synsets) {
    offsets.push(end)
    // Each reference to a synset takes eight digits in place of one mark.
    end += 9 + line.replace(/(@i?|~) [\d#] /g, "$1 00000000 ").length + 1
  }
  const eight = (synset: number) => String(offsets[synset]).padStart(8, "0")
  const data = synsets.map(({ line, at }) => {
    const filled = line.replace(
      /(@i?|~) ([\d#]) /g,
      (_, symbol, to) => `${symbol} ${eight(to === "#" ? 1 : Number(to))} `,
    )
    return `${eight(at)} ${filled}\n`
  })
  return {
    "data.noun": licence + data.join(""),
    "index.noun": [
      `${licence}dog n 1 2 @ ~ 1 1 ${eight(1)}  \n`,
      `domestic_dog n 1 0 1 0 ${eight(1)}  \n`,
      `entity n 1 1 ~ 1 0 ${eight(0)}  \n`,
      `rex n 1 1 @ 1 0 ${eight(2)}  \n`,
    ].join(""),
    "index.verb": `${licence}dog v 1 0 1 0 00000001  \n`,
    "index.adj": `${licence}free a 1 0 1 0 00000001  \n`,
    "index.adv": licence,
    "index.sense": `dog%1:05:00:: ${eight(1)} 1 42\ndog%2:38:00:: 00000001 1 2\nfree%3:00:00:: 00000001 1 7\n`,
  }
}

/** Writes the small database with some files changed (or left out if undefined). Returns its folder. */
export function writeSmallDatabase(
  folder: string,
  change: (files: Record<string, string>) => Record<string, string | undefined> = (files) => files,
): string {
  mkdirSync(folder, { recursive: true })
  for (const [name, content] of Object.entries(change(smallFiles())))
    if (content !== undefined) writeFileSync(join(folder, name), content)
  return folder
}
