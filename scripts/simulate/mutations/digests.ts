// Mistakes in what chats are told together.
import type { Mutation } from '../../mutants.ts'

const deliverer = 'server/notifications/deliver/deliverer.ts'
const digests = 'storage/records/database/deliveries/gather-digest.ts'
const digestTime = 'storage/records/digest-time.ts'

export const digestMutations: Readonly<Record<string, Mutation>> = {
  'a critical alert waits for a digest': [
    'storage/records/database/events/select-receivers.ts',
    "if (severity === 'critical') return",
    "if (severity === 'info') return",
  ],
  'quiet hours are not quiet': [digestTime, 'findNext(quiet.from, now, null) ? end : null', 'now ? end : null'],
  'nobody gathers digests': [deliverer, 'digestAt !== null && digestAt.getTime() <= now', 'digestAt === null'],
  'what a digest carries is told again': [
    digests,
    'const others = numbers.slice(0, -1)',
    'const others = numbers.slice(0, -2)',
  ],
  'a digest leaves something out': [
    digests,
    'readGathered(tx, receiver.org, numbers)',
    'readGathered(tx, receiver.org, numbers.slice(1))',
  ],
  'a digest overtakes what was queued before': [digests, 'if (before !== undefined) {', 'if (before === null) {'],
  'what comes beside a digest waits for the next day': [
    digests,
    'numbers.length === maxGathered ? null : findDigestTime(filter, now)',
    'new Date(now.getTime() + 86_400_000)',
  ],
}
