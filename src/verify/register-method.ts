import type { TObject } from "#typebox"
import { QueryveilError } from "../kernels/error.ts"
import { addGuaranteeModel, findGuaranteeModel } from "../methods/guarantee.ts"
import type { Method } from "../methods/method.ts"
import { methodRegistry } from "../methods/method-registry.ts"
import type { GuaranteeModel } from "../methods/traits.ts"
import type { TablesVerifier, Verifier } from "./verifier.ts"
import { extensionVerifiers } from "./verifier-registry.ts"

/** What an extension's method promises, and how that is checked. The name of its guarantee begins with `x-`. */
export type MethodPromise<S extends TObject = TObject> = Omit<GuaranteeModel<S>, "name" | "releases"> & {
  model: `x-${string}`
} & ({ releases: "rows"; verify: Verifier["verify"] } | { releases: "tables"; verify: TablesVerifier["verify"] })

/**
 * Adds a method with its guarantee and verifier. The method then works like the others. It is a subcommand of
 * `anonymize`. Its options are flags and parameters of the manifest. Its releases are read, verified, attacked,
 * measured and reported. Without the extension, its releases cannot be read.
 */
export function registerMethod<O extends TObject, S extends TObject>(
  method: Method<O>,
  promise: MethodPromise<S>,
): void {
  const { model, releases, schema, traits } = promise
  if (!/^x-[a-z0-9]+(-[a-z0-9]+)*$/.test(model))
    throw badName(model, "begins with x-, then has lower-case letters, digits and single hyphens")
  if (findGuaranteeModel(model) !== undefined) throw badName(model, "is taken; register each extension once")
  if ((method.releases ?? "rows") !== releases)
    throw new QueryveilError(
      "extension-broken",
      `${method.name}: its guarantee is about ${releases}, the method is not.`,
    )
  methodRegistry.add(method)
  addGuaranteeModel({ name: model, releases, schema, traits })
  if (promise.releases === "rows") extensionVerifiers.rows.push({ model, verify: promise.verify })
  else extensionVerifiers.tables.push({ model, verify: promise.verify })
}

const badName = (model: string, what: string) =>
  new QueryveilError("extension-name", `guarantee ${model}: the name of a guarantee ${what}.`)
