import type { JsonObject, JsonValue } from '@floe/storage/json'
import { areEqual } from './equal-values.ts'

/** A member of two objects that differs, such as an attribute; undefined in the object that lacks it. */
export type ChangedMember = {
  readonly name: string
  readonly before: JsonValue | undefined
  readonly after: JsonValue | undefined
}

/** Lists the members that differ: those of the earlier object in its order, then those that only the later one has. */
export function listChangedMembers(
  before: JsonObject,
  after: JsonObject,
  areAlike: (left: JsonValue, right: JsonValue) => boolean = areEqual,
): readonly ChangedMember[] {
  const changed: ChangedMember[] = []
  for (const [name, value] of before) {
    const counterpart = after.get(name)
    if (counterpart === undefined || !areAlike(value, counterpart))
      changed.push({ name, before: value, after: counterpart })
  }
  for (const [name, value] of after) if (!before.has(name)) changed.push({ name, before: undefined, after: value })
  return changed
}
