import { isDeepStrictEqual } from 'node:util'
import type { Config } from './schema.ts'

/** What becomes of a configuration that is read while the service runs. */
export type ReloadPlan = {
  /** The configuration that is in force afterwards. */
  readonly config: Config
  /** The keys that change now. */
  readonly changed: readonly string[]
  /** The keys that differ in the file, and take effect when the process starts again. */
  readonly needRestart: readonly string[]
}

/** Separates what a running service can take over from what only a start can. */
export function planReload(current: Config, next: Config): ReloadPlan {
  const { webhooks, chats } = next.notifications
  const config: Config = {
    ...current,
    orgs: next.orgs,
    bootstrapAdminKey: next.bootstrapAdminKey,
    notifications: { ...current.notifications, webhooks, chats },
    limits: next.limits,
  }
  return { config, changed: listDifferences(current, config), needRestart: listDifferences(config, next) }
}

/** The keys, such as `limits.streams`, at which two configurations differ. It names no values, which may be secret. */
function listDifferences(before: unknown, after: unknown, path: readonly string[] = []): readonly string[] {
  if (!isMapping(before) || !isMapping(after)) return isDeepStrictEqual(before, after) ? [] : [path.join('.')]
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].flatMap((key) => listDifferences(before[key], after[key], [...path, key]))
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
