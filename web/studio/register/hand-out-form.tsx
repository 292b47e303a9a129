import { useEffect, useRef, useState } from "preact/hooks"
import type { RegisteredRelease } from "../release/release-types.ts"
import type { Studio } from "../studio.ts"
import { visible } from "../visible.ts"

type Copied = Awaited<ReturnType<Studio["api"]["handOut"]>>

/** Copies a signed release to an empty folder of this machine, and shows what is there. */
export function HandOutForm({ studio, release }: { studio: Studio; release: RegisteredRelease }) {
  const { api, fail, say, reload } = studio
  const [to, setTo] = useState("")
  const [isSending, setSending] = useState(false)
  const [copied, setCopied] = useState<Copied>()
  const send = async () => {
    setSending(true)
    try {
      setCopied(await api.handOut(release.name, to.trim()))
      say(`“${release.name}” is copied, and the copy is verified.`)
      reload()
    } catch (error) {
      fail(error)
    } finally {
      setSending(false)
    }
  }
  if (copied !== undefined) return <CopiedFiles copied={copied} />
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <label>
        Folder on this machine
        <span class="hint" id="folder-hint">
          Name an empty or a new folder outside the project, with its full path. The release alone is copied there.
          Receipt, audit, report and signature stay here.
        </span>
        <input
          name="folder"
          autocomplete="off"
          spellcheck={false}
          aria-describedby="folder-hint"
          value={to}
          onInput={(event) => setTo(event.currentTarget.value)}
        />
      </label>
      <p class="actions">
        <button type="submit" disabled={isSending || to.trim() === ""}>
          {isSending ? "Copying…" : "Copy the release"}
        </button>
      </p>
    </form>
  )
}

function CopiedFiles({ copied: { to, files } }: { copied: Copied }) {
  const text = useRef<HTMLParagraphElement>(null)
  useEffect(() => text.current?.focus(), [])
  return (
    <>
      <p ref={text} tabIndex={-1}>
        <b>The release is in</b> <code>{visible(to)}</code>. Each file there has the fingerprint that the release names:
      </p>
      <dl class="copied">
        {files.map(({ path, sha256 }) => (
          <div key={path}>
            <dt>{path}</dt>
            <dd>
              <code>{sha256}</code>
            </dd>
          </div>
        ))}
      </dl>
      <p class="note">Hand out this folder, and nothing else. The record says where it was copied to.</p>
    </>
  )
}
