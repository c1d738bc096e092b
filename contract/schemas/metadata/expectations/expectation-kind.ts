// What a kind of expectation is. A file of `kinds/` declares each kind once: what it asks of branches, and what is
// found out about them. Requests, answers, events, the configuration file and the settings page follow from the
// declarations; the server has a function for each kind that judges a branch.
import type { z } from 'zod'
import { Glob, globRule } from '../../names.ts'

/** A kind of expectation. */
export type ExpectationKind = {
  /** A name for people, such as that of a section. */
  readonly title: string
  /** What it expects, in one sentence without a full stop. */
  readonly meaning: string
  /** The settings that must be given, by their names in JSON. */
  readonly required: z.ZodRawShape
  /** The settings that may be left out: nullable schemas, because they are null then. */
  readonly optional: z.ZodRawShape
  /** Settings that say something only together with another one: their names, and the name of that one. */
  readonly needs?: Readonly<Record<string, string>>
  /** Alternative settings: exactly one must be given. */
  readonly oneOf?: readonly string[]
  /** What a judgement finds out about a branch. */
  readonly facts: z.ZodRawShape
  /** Whether it has a document, which lists leave out because it can have a megabyte. */
  readonly hasDocument?: true
  readonly example: {
    readonly settings: object
    /** The facts of a branch that meets it, and of one that does not. */
    readonly met: object
    readonly unmet: object
    /** How the server describes `unmet` in words. */
    readonly summary: string
  }
}

/**
 * Finds the settings that do not fit together, and explains each: those without effect because the setting that they
 * need is absent, and alternatives when none or several are given.
 *
 * @param write how a setting is named where it is read
 */
export function findSettingFaults(
  { needs = {}, oneOf = [] }: ExpectationKind,
  settings: Readonly<Record<string, unknown>>,
  write = (name: string) => name,
): readonly { readonly name: string; readonly message: string }[] {
  const isGiven = (name: string) => (settings[name] ?? null) !== null
  const useless = Object.entries(needs)
    .filter(([name, needed]) => isGiven(name) && !isGiven(needed))
    .map(([name, needed]) => ({ name, message: `is only allowed together with ${write(needed)}` }))
  const [first, ...others] = oneOf.filter(isGiven)
  const message = `is needed: exactly one of ${oneOf.map(write).join(' and ')}`
  const missing = first === undefined ? oneOf.slice(0, 1).map((name) => ({ name, message })) : []
  const surplus = others.map((name) => ({ name, message: `is not allowed together with ${write(first ?? '')}` }))
  return [...useless, ...missing, ...surplus]
}

/** A pattern of groups and arrays to which an expectation is limited. */
export function pathSetting(meaning: string) {
  return Glob.nullable()
    .describe(`Pattern of groups and arrays: ${globRule}. ${meaning}. Null, the default, means that all count`)
    .meta({ examples: ['forecast/**'] })
}
