// Says what caches may keep an answer, and for how long (RFC 9111; RFC 5861 for `stale-while-revalidate`).
import { variesWith } from './content-encoding.ts'
import { addVary, type VaryingReply } from './negotiation.ts'

/** For bytes that never change at their address. No cache asks for them again, and none can be told to drop them. */
export const forEver = 'public, max-age=31536000, immutable'

/** For the caller's own cache, which must revalidate before each use. A `304` costs one read of the ref. */
const forCaller = 'private, no-cache'

/** Lets shared caches keep an answer for an age, in milliseconds, and as long again while they ask for a new one. */
export function shareFor(ageMs: number): string {
  const seconds = Math.floor(ageMs / 1_000)
  return `public, max-age=0, s-maxage=${seconds}, stale-while-revalidate=${seconds}`
}

/** Sets `Cache-Control`, and `Vary` to match. Public answers do not depend on credentials. */
export function setCacheHeaders(reply: VaryingReply, permission: string = forCaller): void {
  reply.header('cache-control', permission)
  addVary(reply, ...variesWith.filter((name) => permission === forCaller || name !== 'authorization'))
}
