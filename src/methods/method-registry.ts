import { Registry } from "../kernels/registry.ts"
import type { Method } from "./method.ts"

const builtInMethods = ["equality", "affinity", "wordnet", "groups", "swap", "counts", "profiles"] as const

/** The name of a built-in method. */
export type BuiltInMethod = (typeof builtInMethods)[number]

/** All methods. `registry.ts` adds the built-in ones at the front when it is loaded. */
export const methodRegistry = new Registry<Method>("method", builtInMethods)
