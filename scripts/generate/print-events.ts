// Prints what receivers of webhooks need to know about events.
import { eventDefinitions } from '@floe/contract/lists'
import { type Collection, listNeeded } from './collect-definitions.ts'

/** Prints the subject of each event, by which a receiver chooses the callback. */
export function printEventSubjects(): string {
  const entries = Object.entries(eventDefinitions).map(([name, { subject }]) => `${name}: '${subject}'`)
  return `
    /** What each event is about. */
    export const eventSubjects = { ${entries.join(', ')} } as const
  `
}

/** Prints an export of the types of notifications, and of those that they refer to. */
export function printEventTypes({ definitions, events }: Collection): string {
  return `export type { ${[...listNeeded(definitions, events)].sort().join(', ')} } from './types.ts'`
}
