import { useEffect, useState } from "preact/hooks"
import { counted } from "../../shared/format.ts"
import { Panel } from "../../shared/panel.tsx"
import type { Entry } from "../api.ts"
import { projectName } from "../steps.ts"
import type { Studio } from "../studio.ts"
import { visible } from "../visible.ts"
import { fileSize } from "./file-size.ts"

interface ChooseFilesProps {
  studio: Studio
  /** Paths of the chosen files. */
  files: readonly string[]
  isBusy: boolean
  onFiles(files: string[]): void
  onLook(): void
}

/** A place in the folders that the studio was started with. */
interface Place {
  folder: number
  path: string
}

const joined = (...parts: string[]) => parts.filter((part) => part !== "").join("/")

/** Chooses files of the log from the folders that the studio was started with. */
export function ChooseFiles({ studio, files, isBusy, onFiles, onLook }: ChooseFilesProps) {
  const { api, state, fail } = studio
  const [place, setPlace] = useState<Place>({ folder: 0, path: "" })
  const [entries, setEntries] = useState<readonly Entry[]>()
  const { folder, path } = place
  const base = state.folders[folder]
  useEffect(() => {
    let isOver = false
    if (base === undefined) return
    api.files(folder, path).then(
      (found) => isOver || setEntries(found.entries),
      (error) => isOver || fail(error),
    )
    return () => {
      isOver = true
    }
  }, [api, fail, base, folder, path])
  if (base === undefined) {
    return (
      <Panel title="Files of the log">
        <p>
          The studio may read no folder yet. Start it again with the folder of the log:{" "}
          <code>queryveil studio --project DIR FOLDER</code>
        </p>
      </Panel>
    )
  }
  const turn = (to: Place) => {
    setEntries(undefined)
    setPlace(to)
  }
  const pathOf = (name: string) => joined(base.replace(/\/$/, ""), path, name)
  const here = (entries ?? []).filter(({ kind }) => kind === "file").map(({ name }) => pathOf(name))
  const isAll = here.length > 0 && here.every((file) => files.includes(file))
  const add = (more: readonly string[]) => onFiles([...new Set([...files, ...more])])
  const remove = (less: readonly string[]) => onFiles(files.filter((file) => !less.includes(file)))
  return (
    <Panel title="Files of the log" aside={<span class="unit">read in place, nothing is uploaded</span>}>
      {state.folders.length > 1 && (
        <p class="actions folders">
          {state.folders.map((one, i) => (
            <button
              key={one}
              type="button"
              class="plain"
              aria-pressed={i === folder}
              onClick={() => turn({ folder: i, path: "" })}
            >
              <bdi>{visible(projectName(one))}</bdi>
            </button>
          ))}
        </p>
      )}
      <Crumbs root={projectName(base)} path={path} onPath={(to) => turn({ folder, path: to })} />
      {entries === undefined ? (
        <p class="quiet">Looking…</p>
      ) : entries.length === 0 ? (
        <p class="quiet">There is nothing in this folder.</p>
      ) : (
        <ul class="entries">
          {sorted(entries).map((entry) => (
            <li key={entry.name}>
              {entry.kind === "folder" ? (
                <button
                  type="button"
                  class="plain folder"
                  onClick={() => turn({ folder, path: joined(path, entry.name) })}
                >
                  <bdi>{visible(entry.name)}</bdi> ›
                </button>
              ) : (
                <label class="tick">
                  <input
                    type="checkbox"
                    checked={files.includes(pathOf(entry.name))}
                    onChange={(event) =>
                      event.currentTarget.checked ? add([pathOf(entry.name)]) : remove([pathOf(entry.name)])
                    }
                  />
                  <bdi class="name">{visible(entry.name)}</bdi>
                  <span class="quiet">{fileSize(entry.bytes)}</span>
                </label>
              )}
            </li>
          ))}
        </ul>
      )}
      <p class="actions">
        <button type="button" disabled={files.length === 0} onClick={onLook}>
          {isBusy ? "Looking…" : files.length === 0 ? "Look at the files" : `Look at ${counted(files.length, "file")}`}
        </button>
        {here.length > 1 && (
          <button type="button" class="plain" onClick={() => (isAll ? remove(here) : add(here))}>
            {isAll ? "Choose none of these" : `Choose all ${here.length} here`}
          </button>
        )}
        {files.some((file) => !here.includes(file)) && (
          <span class="quiet">{counted(files.filter((file) => !here.includes(file)).length, "file")} elsewhere</span>
        )}
      </p>
    </Panel>
  )
}

function Crumbs({ root, path, onPath }: { root: string; path: string; onPath(path: string): void }) {
  const parts = path.split("/").filter((part) => part !== "")
  return (
    <p class="crumbs">
      {[root, ...parts].map((name, i) => {
        const to = parts.slice(0, i).join("/")
        return i === parts.length ? (
          <b key={to}>
            <bdi>{visible(name)}</bdi>
          </b>
        ) : (
          <span key={to}>
            <button type="button" class="plain" onClick={() => onPath(to)}>
              <bdi>{visible(name)}</bdi>
            </button>{" "}
            /{" "}
          </span>
        )
      })}
    </p>
  )
}

/** Folders first, each sort by name. */
function sorted(entries: readonly Entry[]): Entry[] {
  const order = (entry: Entry) => (entry.kind === "folder" ? 0 : 1)
  return [...entries].sort((a, b) => order(a) - order(b) || a.name.localeCompare(b.name, "en", { numeric: true }))
}
