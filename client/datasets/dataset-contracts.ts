import type { ContractedDataset } from '../generated/types.ts'

/**
 * What readers rely on, by repository, ref and group; the root group is `''`. `npx floe types` writes such a constant,
 * or the same as JSON.
 */
export type DatasetContracts = {
  readonly [repo: string]: { readonly [ref: string]: { readonly [group: string]: ReadonlyDeep<ContractedDataset> } }
}

/** A value that nobody changes. */
export type ReadonlyDeep<Value> = Value extends object
  ? { readonly [Name in keyof Value]: ReadonlyDeep<Value[Name]> }
  : Value
