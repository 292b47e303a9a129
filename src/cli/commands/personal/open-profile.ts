import { readFile, stat } from "node:fs/promises"
import { Type } from "#typebox"
import { shellCommand } from "../../../app/shell-words.ts"
import { QueryveilError, systemCode } from "../../../kernels/error.ts"
import { ProfileFile } from "../../../personal/profile-file.ts"
import { openTaxonomy } from "../../../taxonomy/open-taxonomy.ts"
import type { Taxonomy } from "../../../taxonomy/taxonomy.ts"
import type { Given } from "../../flags.ts"
import type { Session } from "../../session.ts"
import { taxonomyFlags } from "../taxonomy/flags.ts"

const variable = "QUERYVEIL_PASSPHRASE"

export const profileArgument = { syntax: "<profile>", description: "the encrypted file of personal learn" }

/** Flags of a command that opens a personal profile. A passphrase is no flag: other users of the machine see those. */
export const profileFlags = Type.Object({
  ...taxonomyFlags.properties,
  passphraseFile: Type.Optional(
    Type.String({
      placeholder: "file",
      description: `file whose first line is the passphrase; without it, the variable ${variable}`,
    }),
  ),
})

/** The passphrase of a file or of the environment. Warns of a file that other users of the machine can read. */
export async function readPassphrase(file: string | undefined, session: Session): Promise<string> {
  if (file === undefined) {
    const given = process.env[variable]
    if (given !== undefined && given !== "") return given
    throw new QueryveilError(
      "profile-passphrase",
      `The profile needs a passphrase: name a file with --passphrase-file, or set ${variable}.`,
      { flag: "--passphrase-file" },
    )
  }
  try {
    if (await isOpenToOthers(file))
      session.warn(
        `${file}: other users of this machine can read the passphrase. Close it: ${shellCommand(["chmod", "600", file])}`,
      )
    return (await readFile(file, "utf8")).split(/\r?\n/)[0] ?? ""
  } catch (cause) {
    throw new QueryveilError("input-unreadable", `${file}: cannot be read (${systemCode(cause)}). Check the path.`, {
      file,
      flag: "--passphrase-file",
      cause,
    })
  }
}

/** A mode says nothing on Windows. A pipe, as of `<(pass show NAME)`, is not kept anywhere. */
async function isOpenToOthers(file: string): Promise<boolean> {
  const found = await stat(file)
  return process.platform !== "win32" && found.isFile() && (found.mode & 0o077) !== 0
}

export async function openProfile(
  path: string,
  flags: Given<typeof profileFlags>,
  session: Session,
): Promise<{ taxonomy: Taxonomy; file: ProfileFile }> {
  const passphrase = await readPassphrase(flags.passphraseFile, session)
  const { cache } = flags
  const taxonomy = await openTaxonomy(flags.taxonomy, cache === undefined ? {} : { cache }, session.context)
  return { taxonomy, file: await ProfileFile.open(path, { passphrase, taxonomy }) }
}
