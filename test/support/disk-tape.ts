import fs, { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { basename, dirname, join, relative, resolve, sep } from "node:path"
import type { RandomSource } from "#dist/kernels/random.js"

/** A file or folder on the simulated disk. Its name belongs to the folder that holds it. */
interface Inode {
  isFolder: boolean
}

/** One change, in the order in which the program made them. */
type Deed =
  | { kind: "write"; inode: Inode; at: number; bytes: Buffer }
  | { kind: "cut"; inode: Inode; length: number }
  | { kind: "enter"; folder: Inode; name: string; inode: Inode }
  | { kind: "leave"; folder: Inode; name: string }
  | { kind: "move"; from: { folder: Inode; name: string }; to: { folder: Inode; name: string }; inode: Inode }
  | { kind: "sync"; inode: Inode }

/** What a disk may hold after a power loss. */
export interface DiskState {
  /** Labels that were noted before. */
  notes: readonly string[]
  /** Writes the state into an empty folder. */
  restore(folder: string): void
}

const blockBytes = 4096

/**
 * Records everything that a program does to a folder through `node:fs/promises`, and what may be left after a power
 * loss.
 *
 * A file's bytes are safe once the file was synced, its name once its folder was. Of later changes, any part may be
 * there: whole writes, single blocks of them, or none. Each change of a name may be there or not, but a rename is never
 * halfway.
 */
export class DiskTape {
  readonly #root: string
  readonly #rootInode: Inode = { isFolder: true }
  readonly #names = new Map<string, Inode>()
  readonly #deeds: Deed[] = []
  readonly #notes: { at: number; label: string }[] = []
  #first = 0

  constructor(folder: string) {
    this.#root = resolve(folder)
    this.#names.set(this.#root, this.#rootInode)
    this.#takeExisting(this.#root)
    this.#first = this.#deeds.length
  }

  /** Notes something that must be true from now on. */
  note(label: string): void {
    this.#notes.push({ at: this.#deeds.length, label })
  }

  get length(): number {
    return this.#deeds.length - this.#first
  }

  /** Runs the program and records its changes on the tape. */
  async record<T>(work: () => Promise<T>): Promise<T> {
    const real = { ...fs.promises }
    Object.assign(fs.promises, this.#watched(real))
    syncBuiltinESMExports()
    try {
      return await work()
    } finally {
      Object.assign(fs.promises, real)
      syncBuiltinESMExports()
    }
  }

  /** After each deed: only what was synced, everything so far, and random parts of what was not synced. */
  *states({ random, samples }: { random: RandomSource; samples: number }): Generator<DiskState> {
    for (let end = this.#first; end <= this.#deeds.length; end++) {
      yield this.#stateAt(end, () => false)
      yield this.#stateAt(end, () => true)
      for (let i = 0; i < samples; i++) yield this.#stateAt(end, () => random.below(2) === 0)
    }
  }

  #stateAt(end: number, isKept: () => boolean): DiskState {
    const notes = this.#notes.filter(({ at }) => at <= end).map(({ label }) => label)
    return { notes, restore: (folder) => restoreDisk(folder, this.#replay(end, isKept), this.#rootInode) }
  }

  #replay(end: number, isKept: () => boolean): Disk {
    const syncedAt = new Map<Inode, number>()
    for (let i = 0; i < end; i++) {
      const deed = this.#deeds[i]
      if (deed?.kind === "sync") syncedAt.set(deed.inode, i)
    }
    const disk: Disk = { names: new Map(), bytes: new Map() }
    for (let i = 0; i < end; i++) {
      const deed = this.#deeds[i]
      if (deed === undefined || deed.kind === "sync") continue
      const isSafe = ownersOf(deed).every((inode) => i < (syncedAt.get(inode) ?? -1))
      if (isSafe || i < this.#first) applyDeed(disk, deed, () => true)
      else if (deed.kind === "write" ? true : isKept()) applyDeed(disk, deed, isKept)
    }
    return disk
  }

  #takeExisting(folder: string): void {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      const inode = this.#enter(path, entry.isDirectory())
      if (entry.isDirectory()) this.#takeExisting(path)
      else this.#deeds.push({ kind: "write", inode, at: 0, bytes: readFileSync(path) })
    }
  }

  #holds(path: string): boolean {
    return !relative(this.#root, resolve(path)).startsWith("..") && !path.includes(".duckdb")
  }

  #find(path: string): Inode | undefined {
    return this.#names.get(resolve(path))
  }

  #folderOf(path: string): Inode {
    const found = this.#find(dirname(resolve(path)))
    if (found === undefined) throw new Error(`The tape does not know the folder of ${path}.`)
    return found
  }

  #enter(path: string, isFolder: boolean, inode: Inode = { isFolder }): Inode {
    this.#deeds.push({ kind: "enter", folder: this.#folderOf(path), name: basename(path), inode })
    this.#names.set(resolve(path), inode)
    return inode
  }

  #leave(path: string): void {
    this.#deeds.push({ kind: "leave", folder: this.#folderOf(path), name: basename(path) })
    for (const name of this.#names.keys()) {
      if (name === resolve(path) || name.startsWith(resolve(path) + sep)) this.#names.delete(name)
    }
  }

  #move(from: string, to: string): void {
    const inode = this.#find(from)
    if (inode === undefined) throw new Error(`The tape does not know ${from}.`)
    const place = (path: string) => ({ folder: this.#folderOf(path), name: basename(path) })
    this.#deeds.push({ kind: "move", from: place(from), to: place(to), inode })
    for (const [name, held] of [...this.#names]) {
      if (name !== resolve(from) && !name.startsWith(resolve(from) + sep)) continue
      this.#names.delete(name)
      this.#names.set(resolve(to) + name.slice(resolve(from).length), held)
    }
  }

  /** The functions of `node:fs/promises` that change something, wrapped so that the tape records them. */
  #watched(real: typeof fs.promises): Partial<typeof fs.promises> {
    return {
      open: async (path, flags, mode) => {
        const handle = await real.open(path, flags, mode)
        const name = String(path)
        if (this.#holds(name)) this.#watchHandle(handle, name, flags)
        return handle
      },
      writeFile: async (file, data, options) => {
        if (typeof file !== "string" || !this.#holds(file)) return real.writeFile(file, data, options)
        await real.writeFile(file, data, options)
        const inode = this.#find(file) ?? this.#enter(file, false)
        this.#deeds.push({ kind: "cut", inode, length: 0 })
        this.#deeds.push({ kind: "write", inode, at: 0, bytes: readFileSync(file) })
      },
      mkdir: (async (path: string, options?: fs.MakeDirectoryOptions) => {
        const made = await real.mkdir(path, options)
        const missing: string[] = []
        for (let at = resolve(path); this.#holds(at) && this.#find(at) === undefined; at = dirname(at)) missing.push(at)
        for (const name of missing.reverse()) this.#enter(name, true)
        return made
      }) as typeof real.mkdir,
      rename: async (from, to) => {
        await real.rename(from, to)
        if (this.#holds(String(to))) this.#move(String(from), String(to))
      },
      link: async (from, to) => {
        await real.link(from, to)
        if (this.#holds(String(to))) this.#enter(String(to), false, this.#find(String(from)))
      },
      rm: async (path, options) => {
        await real.rm(path, options)
        if (this.#find(String(path)) !== undefined) this.#leave(String(path))
      },
      unlink: async (path) => {
        await real.unlink(path)
        if (this.#find(String(path)) !== undefined) this.#leave(String(path))
      },
    }
  }

  #watchHandle(handle: fs.promises.FileHandle, path: string, flags: string | number | undefined): void {
    const known = this.#find(path)
    const inode = known ?? this.#enter(path, false)
    if (known !== undefined && flags === "w") this.#deeds.push({ kind: "cut", inode, length: 0 })
    let at = 0
    const { writeFile, truncate, sync, datasync } = handle
    const write = handle.write.bind(handle)
    Object.assign(handle, {
      write: async (bytes: Uint8Array, offset = 0, length = bytes.length - offset, position: number | null = null) => {
        const done = await write(bytes, offset, length, position)
        const place = position ?? at
        const copy = Buffer.from(bytes.subarray(offset, offset + done.bytesWritten))
        this.#deeds.push({ kind: "write", inode, at: place, bytes: copy })
        at = place + done.bytesWritten
        return done
      },
      writeFile: async (data: string | Uint8Array) => {
        await writeFile.call(handle, data)
        const bytes = Buffer.from(data)
        this.#deeds.push({ kind: "write", inode, at, bytes })
        at += bytes.length
      },
      truncate: async (length = 0) => {
        await truncate.call(handle, length)
        this.#deeds.push({ kind: "cut", inode, length })
      },
      sync: async () => {
        await sync.call(handle)
        this.#deeds.push({ kind: "sync", inode })
      },
      datasync: async () => {
        await datasync.call(handle)
        this.#deeds.push({ kind: "sync", inode })
      },
    })
  }
}

/** What must be synced for a deed to be safe: the file for its bytes, the folders for names. */
function ownersOf(deed: Deed): Inode[] {
  if (deed.kind === "enter" || deed.kind === "leave") return [deed.folder]
  return deed.kind === "move" ? [deed.to.folder] : [deed.inode]
}

interface Disk {
  names: Map<Inode, Map<string, Inode>>
  bytes: Map<Inode, Buffer>
}

function applyDeed(disk: Disk, deed: Deed, isKept: () => boolean): void {
  const entries = (folder: Inode) =>
    disk.names.get(folder) ?? disk.names.set(folder, new Map()).get(folder) ?? new Map()
  if (deed.kind === "enter") entries(deed.folder).set(deed.name, deed.inode)
  else if (deed.kind === "leave") entries(deed.folder).delete(deed.name)
  else if (deed.kind === "move") {
    entries(deed.from.folder).delete(deed.from.name)
    entries(deed.to.folder).set(deed.to.name, deed.inode)
  } else if (deed.kind === "cut") {
    const held = disk.bytes.get(deed.inode) ?? Buffer.alloc(0)
    const cut = Buffer.alloc(deed.length)
    held.copy(cut)
    disk.bytes.set(deed.inode, cut)
  } else if (deed.kind === "write") writeBlocks(disk, deed, isKept)
}

/** Writes the blocks that are kept. The first may begin and the last may end in the middle of a disk block. */
function writeBlocks(disk: Disk, { inode, at, bytes }: Deed & { kind: "write" }, isKept: () => boolean): void {
  for (let from = at; from < at + bytes.length; ) {
    const to = Math.min(at + bytes.length, (Math.floor(from / blockBytes) + 1) * blockBytes)
    if (isKept()) {
      const held = disk.bytes.get(inode) ?? Buffer.alloc(0)
      const longer = held.length >= to ? held : Buffer.concat([held, Buffer.alloc(to - held.length)])
      bytes.copy(longer, from, from - at, to - at)
      disk.bytes.set(inode, longer)
    }
    from = to
  }
}

function restoreDisk(folder: string, disk: Disk, root: Inode): void {
  for (const [name, inode] of disk.names.get(root) ?? []) {
    const path = join(folder, name)
    if (!inode.isFolder) writeFileSync(path, disk.bytes.get(inode) ?? Buffer.alloc(0))
    else {
      mkdirSync(path)
      restoreDisk(path, disk, inode)
    }
  }
}
