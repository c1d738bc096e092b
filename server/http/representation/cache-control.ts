// Says which caches may store an answer, and for how long (RFC 9111; RFC 5861 for `stale-while-revalidate`).
import { variesWith } from './content-encoding.ts'
import { addVary, type VaryingReply } from './negotiation.ts'

/** For bytes that never change at their address. No cache asks for them again, and none can be told to drop them. */
export const immutable = 'public, max-age=31536000, immutable'

/** For the cache of the caller only, which must revalidate before each use. A `304` costs one read of the ref. */
const forCaller = 'private, no-cache'

/** Lets shared caches use an answer up to an age in milliseconds, and up to twice that age while they revalidate it. */
export function shareFor(ageMs: number): string {
  const seconds = Math.floor(ageMs / 1_000)
  return `public, max-age=0, s-maxage=${seconds}, stale-while-revalidate=${seconds}`
}

/** Sets `Cache-Control`, and `Vary` to match. Public answers do not depend on credentials. */
export function setCacheHeaders(reply: VaryingReply, permission: string = forCaller): void {
  reply.header('cache-control', permission)
  addVary(reply, ...variesWith.filter((name) => permission === forCaller || name !== 'authorization'))
}
