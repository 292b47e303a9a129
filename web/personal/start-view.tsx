import type { ComponentChildren } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import { EngineSetup } from "./engine-setup.tsx"
import { FindAndMark } from "./find-and-mark.tsx"
import { ImportHistory } from "./import-history.tsx"
import { MarkedTopics } from "./marked-topics.tsx"
import { Proposals } from "./proposals.tsx"
import { markNever, markSensitive, type PersonalProxy } from "./proxy.ts"

const titles = ["What stays here", "What is sensitive", "Which engine"] as const

export type StartStep = 1 | 2 | 3

/** The address of a step: the browser's back and forward buttons move between the steps. */
const addressOf = (step: number) => `#start-${step}`

/** The step that an address names; undefined if it names none. */
export function startStepOf(hash: string): StartStep | undefined {
  if (hash === "#start" || hash === "#start-1") return 1
  return hash === "#start-2" ? 2 : hash === "#start-3" ? 3 : undefined
}

/** The first visit in three steps. Each can be skipped, and all can be opened again from the settings. */
export function StartView({ proxy, step }: { proxy: PersonalProxy; step: StartStep }) {
  const { api, setState, fail } = proxy
  const heading = useRef<HTMLHeadingElement>(null)
  const first = useRef(true)
  useLayoutEffect(() => {
    // Focus moves to the top of the next step, for eyes and for screen readers. It moves before anybody can type there:
    // later, it would leave the box that is typed in, and close its list.
    if (!first.current) heading.current?.focus()
    first.current = false
  }, [step])
  const finish = () =>
    api.change({ welcomed: true }).then((after) => {
      setState(() => after)
      window.location.hash = "#search"
    }, fail)
  return (
    <div class="start">
      <nav class="steps" aria-label="Start in three steps">
        <ol>
          {titles.map((title, i) => (
            <li key={title}>
              <a href={addressOf(i + 1)} {...(i + 1 === step && { "aria-current": "step" as const })}>
                <span aria-hidden="true">{i + 1}</span> {title}
              </a>
            </li>
          ))}
        </ol>
      </nav>
      <section class="panel" aria-labelledby="start-heading">
        <h2 id="start-heading" tabIndex={-1} ref={heading}>
          {step}. {titles[step - 1]}
        </h2>
        {step === 1 && <WhatStays proxy={proxy} />}
        {step === 2 && <WhatIsSensitive proxy={proxy} />}
        {step === 3 && <WhichEngine proxy={proxy} />}
      </section>
      <p class="actions turn">
        {step > 1 && <Turn to={step - 1}>Back</Turn>}
        <span class="room" />
        {step < 3 ? (
          <>
            <button type="button" class="plain" onClick={() => void finish()}>
              Skip
            </button>
            <Turn to={step + 1} isMain>
              Next
            </Turn>
          </>
        ) : (
          <button type="button" onClick={() => void finish()}>
            Start searching
          </button>
        )}
      </p>
    </div>
  )
}

const Turn = ({ to, isMain = false, children }: { to: number; isMain?: boolean; children: ComponentChildren }) => (
  <button
    type="button"
    class={isMain ? "" : "plain"}
    onClick={() => {
      window.location.hash = addressOf(to)
    }}
  >
    {children}
  </button>
)

function WhatStays({ proxy }: { proxy: PersonalProxy }) {
  return (
    <>
      <p>You search from this page, and it runs on your own machine.</p>
      <div class="two">
        <div>
          <h3>What stays on this machine</h3>
          <ul class="plain-list">
            <li>Your profile: the topics of what you search for and open, by day. Your queries are not in it.</li>
            <li>Your marks and settings, and a record of what each engine was shown.</li>
            <li>All of this is in one file, encrypted with your passphrase.</li>
          </ul>
        </div>
        <div>
          <h3>What leaves it</h3>
          <ul class="plain-list">
            <li>
              Each query goes to the engine that you choose. Any engine on the web also sees your network address.
            </li>
            <li>Some engines accept a profile. They are also sent a few of its topics, within limits that you set.</li>
            <li>Nothing else is sent.</li>
          </ul>
        </div>
      </div>
      <p class="note">
        Your browser keeps the searches that you make here in its own history, as for any page. A private window does
        not.
      </p>
      <h3>Do you already have a history?</h3>
      <p class="note first">
        You can import one, so that the profile does not start empty. The file is read on this machine, and only topics
        and days are kept.
      </p>
      <ImportHistory proxy={proxy} />
    </>
  )
}

function WhatIsSensitive({ proxy }: { proxy: PersonalProxy }) {
  const { state } = proxy
  return (
    <>
      <p>Mark what you would not tell a stranger.</p>
      <ul class="plain-list">
        <li>
          <b>Sensitive</b>: engines may learn little about it, within limits that you set.
        </li>
        <li>
          <b>Never show</b>: your profile never shows it, nor anything below it.
        </li>
        <li>A query about a marked topic waits until you decide. The engine reads the query itself.</li>
      </ul>
      {state.proposals.length > 0 && <Proposals proxy={proxy} />}
      <FindAndMark
        proxy={proxy}
        onMark={(path, sensitivity) => void markSensitive(proxy, path, sensitivity)}
        onNever={(path, isNever) => void markNever(proxy, path, isNever)}
      />
      <h3>Marked so far</h3>
      <MarkedTopics proxy={proxy} />
    </>
  )
}

function WhichEngine({ proxy }: { proxy: PersonalProxy }) {
  return (
    <>
      <p>Choose who answers your searches. The built-in dictionary works at once; to search the web, add an engine.</p>
      <EngineSetup proxy={proxy} />
      <p class="note">
        You can change all of this later under <a href="#settings">Settings</a> and <a href="#profile">Profile</a>.
      </p>
    </>
  )
}
