import { readFile } from "node:fs/promises"
import { Type } from "#typebox"
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
      description: `read the passphrase from the first line of this file (default the variable ${variable})`,
    }),
  ),
})

export async function readPassphrase(file: string | undefined): Promise<string> {
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
    return (await readFile(file, "utf8")).split(/\r?\n/)[0] ?? ""
  } catch (cause) {
    throw new QueryveilError("input-unreadable", `${file}: cannot be read (${systemCode(cause)}). Check the path.`, {
      file,
      flag: "--passphrase-file",
      cause,
    })
  }
}

export async function openProfile(
  path: string,
  flags: Given<typeof profileFlags>,
  session: Session,
): Promise<{ taxonomy: Taxonomy; file: ProfileFile }> {
  const passphrase = await readPassphrase(flags.passphraseFile)
  const { cache } = flags
  const taxonomy = await openTaxonomy(flags.taxonomy, cache === undefined ? {} : { cache }, session.context)
  return { taxonomy, file: await ProfileFile.open(path, { passphrase, taxonomy }) }
}
