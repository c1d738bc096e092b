// Whether it is told that repositories cannot be read.
import type { RecordedEvent } from '../../../history/recorded-events.ts'
import type { SimulatedRepository } from '../../world/repositories.ts'
import type { Troubles } from '../troubles.ts'

/** A repository counts as unreadable after this time; it is told after this one, if nothing is in the way. */
const unreadableMs = 60_000
const toldMs = 150_000

/** Checks that damage of a repository is told once, and its end too. */
export function checkReadability(
  { name, damages }: SimulatedRepository,
  events: readonly RecordedEvent[],
  troubles: Troubles,
  faults: string[],
): void {
  const told = events.flatMap(({ notification: { event } }) =>
    event === 'RepositoryUnreadable' || event === 'RepositoryBack' ? [event] : [],
  )
  const wrong = told.findIndex((event, index) => (event === 'RepositoryUnreadable') !== (index % 2 === 0))
  if (wrong >= 0 || told.length % 2 !== 0) faults.push(`${name}: told ${told.join(', ')}`)
  const [count, long] = [told.length / 2, damages.filter(({ since, until }) => until - since >= unreadableMs)]
  const sure = damages.filter(({ since, until }) => until - since >= toldMs && troubles.isQuiet(since, until))
  if (count < sure.length || (count > long.length && !troubles.hasFileTroubles))
    faults.push(`${name}: told ${count} times that it is unreadable, not ${sure.length} to ${long.length} times`)
}
