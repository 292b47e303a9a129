import { useEffect, useState } from "preact/hooks"
import type { RegisterView } from "../answers.ts"
import type { Studio } from "../studio.ts"
import type { RegisteredRelease } from "./release-types.ts"

/** The register, asked for again whenever it changes or a release was drawn or judged. */
export function useRegister({ api, changes, fail, jobOf }: Studio) {
  const [register, setRegister] = useState<RegisterView>()
  const ended = [jobOf("release"), jobOf("report")].map((job) => `${job?.id} ${job?.state}`).join()
  useEffect(() => {
    let isOver = false
    api
      .register()
      .then((answer) => isOver || setRegister(answer))
      .catch((error) => isOver || fail(error))
    return () => {
      isOver = true
    }
  }, [api, changes.register, ended])
  return [register, setRegister] as const
}

/** The release that was last looked at. It is kept while the page is open, so that screens agree. */
let lookedAt: string | undefined

/** The release that a screen is about, and how to choose another. `first` says which it is before one was chosen. */
export function useRelease(
  register: RegisterView | undefined,
  first: (releases: readonly RegisteredRelease[]) => RegisteredRelease | undefined,
) {
  const [name, setName] = useState(lookedAt)
  const releases = register?.releases ?? []
  const release = releases.find((one) => one.name === name) ?? first(releases)
  return [release, (next: string) => setName(lookAt(next))] as const
}

/** Makes a release the one that the next screen is about. */
export function lookAt(name: string): string {
  lookedAt = name
  return name
}
