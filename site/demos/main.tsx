import { type ComponentType, render } from "preact"
import { CountsDemo } from "./counts/counts-demo.tsx"
import "./demos.css"
import "./tables.css"
import { EqualityDemo } from "./equality/equality-demo.tsx"
import { FrontierDemo } from "./frontier/frontier-demo.tsx"
import { type DemoName, demos } from "./list.ts"
import affinity from "./recorded/affinity.json"
import groups from "./recorded/groups.json"
import personal from "./recorded/personal.json"
import profiles from "./recorded/profiles.json"
import stream from "./recorded/stream.json"
import wordnet from "./recorded/wordnet.json"
import type { Recording } from "./steps/recording.ts"
import { StepsDemo } from "./steps/steps-demo.tsx"
import { SwapDemo } from "./swap/swap-demo.tsx"

const stepsOf = (recording: Recording) => () => <StepsDemo recording={recording} />

const islands: Readonly<Record<DemoName, ComponentType>> = {
  equality: EqualityDemo,
  swap: SwapDemo,
  counts: CountsDemo,
  affinity: stepsOf(affinity),
  wordnet: stepsOf(wordnet),
  groups: stepsOf(groups),
  profiles: stepsOf(profiles),
  personal: stepsOf(personal),
  stream: stepsOf(stream),
  frontier: FrontierDemo,
}

const isDemo = (name: string | undefined): name is DemoName => demos.some((demo) => demo === name)

/** Shows each demo that the page asks for. */
function mountDemos(): void {
  for (const place of document.querySelectorAll<HTMLElement>("[data-demo]")) {
    const name = place.dataset.demo
    if (!isDemo(name)) continue
    const Island = islands[name]
    place.replaceChildren()
    render(<Island />, place)
  }
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", mountDemos)
else mountDemos()
