// A caller that follows the events over HTTP, with one client whose requests go to random replicas.
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@floe/client'
import type { SeededRandom } from '../../history/seeded-random.ts'
import type { CrashReplicas } from './replicas.ts'

/** Follows the moves of all `main`, from the first on. */
export class Follower {
  /** The positions of the events, in the order in which they came. */
  readonly ids: string[] = []
  /** Resolves after the signal. */
  readonly ended: Promise<void>
  requests = 0

  constructor(replicas: CrashReplicas, random: SeededRandom, over: AbortSignal) {
    const fetchFromAny: typeof fetch = async (input, init) => {
      this.requests++
      const request = new Request(input, init)
      const origin = await Promise.race([random.choose(replicas.running).origin, pause(1_000)])
      if (origin === undefined) throw new TypeError('no replica listens')
      return fetch(request.url.replace('http://service', origin), { headers: request.headers, signal: request.signal })
    }
    const floe = createClient({ baseUrl: 'http://service/v1', deployment: 'crash', org: 'acme', fetch: fetchFromAny })
    const follow = async () => {
      for await (const { id } of floe.events({ after: '0' }, { signal: over })) this.ids.push(id)
    }
    this.ended = follow().catch((error: unknown) => {
      if (!over.aborted) console.error(error)
    })
  }
}
