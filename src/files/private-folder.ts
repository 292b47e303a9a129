import { chmod, mkdir, open } from "node:fs/promises"
import { systemCode } from "../kernels/error.ts"

/** Creates a folder that only its owner may enter (0700), and its parents. An existing folder stays as it is. */
export async function makePrivateFolder(path: string): Promise<string | undefined> {
  return mkdir(path, { recursive: true, mode: 0o700 })
}

/**
 * Closes a folder to everybody but its owner. A folder of another owner, such as a mounted one, stays as it is: its
 * files have mode 0600.
 */
export async function closeFolder(path: string): Promise<void> {
  await chmod(path, 0o700).catch((error) => {
    if (systemCode(error) !== "EPERM") throw error
  })
}

/** Resolves when files that were created, renamed or removed in a folder survive a power loss. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return
  const folder = await open(path, "r")
  try {
    await folder.sync()
  } catch (error) {
    if (!cannotSync.includes(systemCode(error) ?? "")) throw error
  } finally {
    await folder.close()
  }
}

/** Resolves when the content of a file survives a power loss. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r+")
  try {
    await file.datasync()
  } finally {
    await file.close()
  }
}

/** Errors of file systems that cannot sync a folder, such as some network file systems. */
const cannotSync = ["EINVAL", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]
