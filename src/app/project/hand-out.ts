import { constants } from "node:fs"
import { chmod, copyFile, readdir, realpath, rm } from "node:fs/promises"
import { join, resolve } from "node:path"
import { realPlace } from "../../files/real-place.ts"
import { writeFolder } from "../../files/write-folder.ts"
import { createContext, type RunContext, yieldAndReport } from "../../kernels/context.ts"
import { QueryveilError, systemCode } from "../../kernels/error.ts"
import type { Project } from "../../project/open-project.ts"
import { checkSignature, readSignature, type Signature } from "../../project/signature.ts"
import { readRelease } from "../../release/read-release.ts"
import { manifestFile, refusePrivate } from "../../release/write-release.ts"
import { overall } from "../../verify/verifier.ts"
import { releaseFolder } from "./releases.ts"

/** A copy of a release that was handed out. */
export interface HandedOut {
  release: string
  to: string
  files: { path: string; sha256: string }[]
}

/**
 * Copies a signed release to an empty or new folder: its data files and its manifest, nothing else. Refuses a release
 * that is not signed or that changed since. The copy is compared with the manifest before it appears under its name.
 */
export async function handOut(
  project: Project,
  name: string,
  to: string,
  context: RunContext = createContext(),
): Promise<HandedOut> {
  const folder = releaseFolder(project, name)
  const signature = await findSignature(folder, name)
  await refuseInside(to, project.paths.root)
  await refuseFilled(to)
  await refusePrivate(to)
  const release = await readRelease(folder)
  const { files } = release.manifest
  await writeFolder(to, { mode: 0o755, replace: false }, async (temporary) => {
    for (const [i, { path }] of [...files, { path: manifestFile }].entries()) {
      await yieldAndReport(context, { stage: "copying the release", done: i, total: files.length + 1 })
      await copyFile(join(folder, path), join(temporary, path), constants.COPYFILE_FICLONE)
      await chmod(join(temporary, path), 0o644)
    }
    const copy = await readRelease(temporary)
    for (const { path, sha256 } of files) {
      if ((await copy.fingerprint(path)) !== sha256)
        throw new QueryveilError("release-broken", `${name}: ${path} is not the file that the manifest names.`)
    }
    if ((await copy.fingerprint(manifestFile)) !== signature.facts.manifest)
      throw new QueryveilError("release-broken", `${name}: ${manifestFile} is not the one that was signed.`)
  })
  try {
    await project.record({ kind: "handed out", facts: { release: name, id: release.manifest.id, to: resolve(to) } })
  } catch (error) {
    await rm(to, { recursive: true, force: true }) // what is not in the record was not handed out
    throw error
  }
  return { release: name, to, files: files.map(({ path, sha256 }) => ({ path, sha256 })) }
}

/** The signature of a release. Refuses one that is missing, or that does not match. */
async function findSignature(folder: string, name: string): Promise<Signature> {
  const signature = await readSignature(folder)
  if (signature === "none")
    throw new QueryveilError("not-signed", `${name}: is not signed. Sign it first, then hand it out.`)
  const checks = await checkSignature(folder)
  if (overall(checks) === "passed" && signature !== "unreadable") return signature
  const [bad] = checks.filter(({ state }) => state !== "passed")
  throw new QueryveilError("not-signed", `${name}: its signature cannot be trusted: ${bad?.detail ?? bad?.promise}.`)
}

/** Everything in a project is private, so a copy inside it could not be handed out. */
async function refuseInside(to: string, root: string): Promise<void> {
  const inside = `${await realPlace(to)}/`
  if (!inside.startsWith(`${await realpath(root)}/`)) return
  throw new QueryveilError("output-exists", `${to}: lies in the project, which is private. Name a folder outside it.`, {
    file: to,
  })
}

async function refuseFilled(to: string): Promise<void> {
  try {
    if ((await readdir(to)).length === 0) return
  } catch (error) {
    if (systemCode(error) === "ENOENT") return
    throw new QueryveilError("output-exists", `${to}: is not a folder. Name an empty or a new folder.`, { file: to })
  }
  throw new QueryveilError("output-exists", `${to}: is not empty. Name an empty or a new folder.`, { file: to })
}
