import { useState } from "preact/hooks"
import { asCount } from "../../shared/format.ts"
import { Panel } from "../../shared/panel.tsx"
import type { RegisteredRelease } from "../release/release-types.ts"
import { asMinute, describeMethod, stateWords, whyNotHandedOut } from "../release/release-words.ts"
import { lookAt } from "../release/use-register.ts"
import { attackLook, promiseLook } from "../release/verdict-looks.ts"
import type { Studio } from "../studio.ts"
import { visible } from "../visible.ts"
import { HandOutForm } from "./hand-out-form.tsx"

/** The past releases: what each is, what was found, who decided what, and handing out. */
export function ReleasesTable({ studio, releases }: { studio: Studio; releases: readonly RegisteredRelease[] }) {
  const [open, setOpen] = useState<string>()
  if (releases.length === 0)
    return (
      <Panel title="Releases">
        <p>There are none yet. They are drawn on the screen Check.</p>
      </Panel>
    )
  return (
    <Panel title="Releases">
      <div class="scroll">
        <table class="releases">
          <thead>
            <tr>
              <th scope="col">Release</th>
              <th scope="col">State</th>
              <th scope="col">Promise kept</th>
              <th scope="col">Attacks</th>
              <th scope="col">Decision</th>
              <th scope="col">Files</th>
              <th scope="col">Hand out</th>
            </tr>
          </thead>
          <tbody>
            {releases.toReversed().map((release) => (
              <Row
                key={release.name}
                studio={studio}
                release={release}
                isOpen={open === release.name}
                onOpen={() => setOpen(open === release.name ? undefined : release.name)}
              />
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}

interface RowProps {
  studio: Studio
  release: RegisteredRelease
  isOpen: boolean
  onOpen(): void
}

function Row({ studio, release, isOpen, onOpen }: RowProps) {
  const { name, state, problem, decision, handedOut } = release
  const { word, look } = stateWords[state]
  const why = whyNotHandedOut(release)
  const form = `hand-out-${release.id}`
  return (
    <>
      <tr>
        <th scope="row">
          <span class="name">{name}</span>
          <small>
            {describeMethod(release)} · {asCount(release.rows)} rows
            <br />
            made {asMinute(release.made)}
          </small>
        </th>
        <td data-label="State">
          <span class={`pill ${look}`}>{word}</span>
          {problem !== undefined && <small class="problem">{problem}</small>}
        </td>
        <Verdict release={release} />
        <td data-label="Decision">
          {decision === undefined ? (
            <GoButton studio={studio} release={release} />
          ) : (
            <>
              <bdi>{visible(decision.name)}</bdi>, {decision.date}
              <small>
                <bdi>{visible(decision.reason)}</bdi>
              </small>
            </>
          )}
        </td>
        <td data-label="Files">
          <ul class="files">
            <li>
              release <span class="pill plain">{why === undefined ? "to hand out" : "not yet"}</span>
            </li>
            {["receipt", "audit", "report", "signature"].map((file) =>
              file === "signature" && state !== "signed" && state !== "changed" ? null : (
                <li key={file}>
                  {file} <span class="pill here">stays here</span>
                </li>
              ),
            )}
          </ul>
        </td>
        <td data-label="Hand out">
          <button
            type="button"
            class="plain"
            disabled={why !== undefined}
            aria-expanded={why === undefined ? isOpen : undefined}
            aria-controls={isOpen ? form : undefined}
            aria-label={`Hand out ${name}`}
            aria-describedby={why === undefined ? undefined : `${form}-why`}
            onClick={onOpen}
          >
            Hand out…
          </button>
          {why !== undefined && <small id={`${form}-why`}>{why}</small>}
          {handedOut.map(({ to, at }) => (
            <small key={at}>
              to <code>{visible(to)}</code>, {asMinute(at)}
            </small>
          ))}
        </td>
      </tr>
      {isOpen && why === undefined && (
        <tr class="form-row" id={form}>
          <td colSpan={7}>
            <HandOutForm studio={studio} release={release} />
          </td>
        </tr>
      )}
    </>
  )
}

function Verdict({ release: { summary } }: { release: RegisteredRelease }) {
  if (summary === undefined)
    return (
      <>
        <td data-label="Promise kept">
          <span class="quiet">not checked yet</span>
        </td>
        <td data-label="Attacks">
          <span class="quiet">not checked yet</span>
        </td>
      </>
    )
  const [promise, attacks] = [promiseLook(summary.promise, summary.attacks.state), attackLook(summary.attacks.state)]
  return (
    <>
      <td data-label="Promise kept">
        <span class={`pill ${promise.look}`}>{promise.word}</span>
      </td>
      <td data-label="Attacks">
        <span class={`pill ${attacks.look}`}>{attacks.word}</span>
      </td>
    </>
  )
}

/** Leads to where a release is checked, or decided on. */
function GoButton({ studio, release }: { studio: Studio; release: RegisteredRelease }) {
  const screen = release.summary === undefined ? "check" : "sign"
  const text = screen === "check" ? "Check it" : "Sign or refuse it"
  return (
    <button
      type="button"
      class="plain"
      aria-label={`${text}: ${release.name}`}
      onClick={() => {
        lookAt(release.name)
        studio.go(screen)
      }}
    >
      {text}
    </button>
  )
}
