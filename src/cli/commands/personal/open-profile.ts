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
import { askLine, askNewPassphrase, canAsk } from "./ask-terminal.ts"

const variable = "QUERYVEIL_PASSPHRASE"

export const profileArgument = { syntax: "<profile>", description: "the encrypted file of personal learn" }

/**
 * Flags of a command that opens a personal profile. The passphrase is not a flag, because other users of the machine
 * can see flags.
 */
export const profileFlags = Type.Object({
  ...taxonomyFlags.properties,
  passphraseFile: Type.Optional(
    Type.String({
      placeholder: "file",
      description: `read the passphrase from the first line of this file (default the variable ${variable}, else ask)`,
    }),
  ),
})

/**
 * Reads the passphrase for a profile: from a file, else from the environment, else from the terminal. For a new profile
 * the terminal asks twice.
 */
export async function readPassphrase(
  { path, passphraseFile, isNew }: { path: string; passphraseFile?: string | undefined; isNew: boolean },
  session: Session,
): Promise<string> {
  const given = passphraseFile === undefined ? process.env[variable] : await readFirstLine(passphraseFile, session)
  if (given !== undefined && given !== "") return given
  if (passphraseFile !== undefined)
    throw new QueryveilError(
      "profile-passphrase",
      `${passphraseFile}: the first line is empty. Put a passphrase there.`,
    )
  const { signal } = session.context
  if (!canAsk())
    throw new QueryveilError(
      "profile-passphrase",
      `The profile needs a passphrase: name a file with --passphrase-file, or set ${variable}.`,
      { flag: "--passphrase-file" },
    )
  if (!isNew) return askLine("Passphrase: ", { secret: true, signal })
  process.stderr.write(`New profile: ${path}\nIt is encrypted with a passphrase. `)
  process.stderr.write("Nobody can open it without the passphrase, and a lost passphrase cannot be restored.\n")
  return askNewPassphrase(signal)
}

/** The first line of the file with the passphrase. Warns if other users of the machine can read the file. */
async function readFirstLine(file: string, session: Session): Promise<string> {
  try {
    if (await isOpenToOthers(file))
      session.warn(
        `${file}: other users of this machine can read the passphrase. ` +
          `Keep it private: ${shellCommand(["chmod", "600", file])}`,
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

/**
 * True if other users can read the file. On Windows the mode says nothing. A pipe, such as `<(pass show NAME)`, is not
 * stored anywhere.
 */
async function isOpenToOthers(file: string): Promise<boolean> {
  const found = await stat(file)
  return process.platform !== "win32" && found.isFile() && (found.mode & 0o077) !== 0
}

/** True if the profile exists. */
export const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

export async function openProfile(
  path: string,
  flags: Given<typeof profileFlags>,
  session: Session,
): Promise<{ taxonomy: Taxonomy; file: ProfileFile }> {
  const passphrase = await readPassphrase({ path, passphraseFile: flags.passphraseFile, isNew: false }, session)
  const { cache } = flags
  const taxonomy = await openTaxonomy(flags.taxonomy, cache === undefined ? {} : { cache }, session.context)
  return { taxonomy, file: await ProfileFile.open(path, { passphrase, taxonomy }) }
}
