// A variable while it is decoded, and the error for a group that xarray cannot open.
import type { JsonObject, JsonValue } from '@floe/storage/json'
import type { NumpyType } from './data-types.ts'

/** An array of a group while it is decoded. Every step of decoding returns a new variable. */
export type Variable = {
  readonly name: string
  readonly type: NumpyType
  /** A dimension may be unnamed (null). */
  readonly dimensions: readonly (string | null)[]
  /** Sizes in the order of `dimensions`; bigint because Zarr allows more than 2^53. */
  readonly shape: readonly bigint[]
  /** Without the attributes that decoding has consumed. */
  readonly attributes: JsonObject
  /** The attributes that decoding has consumed. Later steps read them here, as in xarray. */
  readonly encoding: JsonObject
  /** Bytes of one element as stored, before compression; null for values of any length. */
  readonly storedItemBytes: number | null
  /** Why values cannot be computed. This matters only for values that xarray reads when it opens a group. */
  readonly unreadable?: string
}

/** Maximum length of an explanation, in characters. Explanations quote names and texts of any length. */
const maxRuleLength = 2000

/** xarray and zarr-python cannot open the group, so there is no dataset. */
export class CannotDecodeError extends Error {
  override name = 'CannotDecodeError'
  /** Name of the array at fault; null when the group itself is. */
  readonly variable: string | null
  readonly rule: string

  constructor(variable: string | null, rule: string) {
    const shown = rule.length > maxRuleLength ? `${rule.slice(0, maxRuleLength).toWellFormed()}…` : rule
    super(variable === null ? `cannot be opened as a dataset: ${shown}` : `array ${JSON.stringify(variable)}: ${shown}`)
    this.variable = variable
    this.rule = shown
  }
}

/** Removes the attributes with these names. */
export function omit(attributes: JsonObject, ...names: readonly string[]): JsonObject {
  if (!names.some((name) => attributes.has(name))) return attributes
  const remaining = new Map(attributes)
  for (const name of names) remaining.delete(name)
  return remaining
}

/** Moves attributes to the encoding, except that null is only removed. Source: `xarray/coding/common.py` `pop_to`. */
export function consume(variable: Variable, ...names: readonly string[]): Variable {
  if (!names.some((name) => variable.attributes.has(name))) return variable
  const encoding = new Map(variable.encoding)
  for (const name of names) {
    const value: JsonValue = variable.attributes.get(name) ?? null
    if (value !== null) encoding.set(name, value)
  }
  return { ...variable, attributes: omit(variable.attributes, ...names), encoding }
}
