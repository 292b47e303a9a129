import type { Manifest } from "../../release/manifest.ts"
/** Who or what is protected. If the log was counted by session, a user name is a session. */
export declare function unitInWords({ guarantee }: Manifest): string
/** True if the release promises anything. The paper's own algorithms, and k = 1, promise nothing. */
export declare const isPromised: ({ guarantee }: Pick<Manifest, "guarantee">) => boolean
/** The meaning of the numbers in a promise. */
export declare const numbersInWords: ({ guarantee }: Manifest) => readonly string[]
