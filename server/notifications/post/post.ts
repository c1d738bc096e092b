// Sends one POST over HTTPS to an address that the rules allow. The name is resolved once, every address is judged, and the connection
// goes to one of the judged addresses; a reused connection was judged when it was opened. We follow no redirect, decompress nothing and
// use no proxy.
import { isIP } from 'node:net'
import type { AddressRules } from '../receivers/address-rules.ts'
import { judgeHost } from '../receivers/judge-host.ts'
import { readHost } from '../receivers/receiver-url.ts'
import type { ResolveHost } from '../receivers/resolve-host.ts'
import { exchange, type PostRequest, type PostResponse } from './exchange.ts'
import { PostError } from './explain-exchange.ts'
import type { ReceiverAgent } from './receiver-agent.ts'
import type { Budget } from './start-budget.ts'

/** Sends requests to receivers. */
export type Poster = {
  /** @throws {@link PostError} */
  readonly post: (request: PostRequest, budget: Pick<Budget, 'signal' | 'ms'>) => Promise<PostResponse>
  /** Closes all connections. */
  readonly close: () => Promise<void>
}

/** How a {@link Poster} finds and judges receivers. */
export type PosterOptions = {
  readonly rules: AddressRules
  readonly resolveHost: ResolveHost
  /** Certificates in PEM form that are trusted besides the usual ones. */
  readonly extraCa?: string | undefined
}

/** Opens a {@link Poster}; close it when it is no longer needed. */
export function openPoster({ rules, resolveHost, extraCa }: PosterOptions): Poster {
  const judge = (host: string, addresses: readonly string[]) => judgeAddresses(host, addresses, rules)
  const resolve = async (host: string, signal: AbortSignal) => judge(host, await resolveHost(host, signal))
  let agent: Promise<ReceiverAgent> | undefined
  // Loaded with the first request: a service without receivers needs neither undici nor certificates, which take 40 ms and 10 MB.
  const openAgent = async () => {
    const { ReceiverAgent } = await import('./receiver-agent.ts')
    return new ReceiverAgent({ resolve, extraCa })
  }
  return {
    async post(message, budget) {
      const host = readHost(message.url)
      if (isIP(host) !== 0) judge(host, [host])
      // Each turn uses up one kept connection, of which there are few.
      for (;;) {
        const response = await exchange(message, await (agent ??= openAgent()), budget)
        if (response !== 'stale') return response
      }
    },
    close: async () => (await agent)?.destroy(),
  }
}

function judgeAddresses(host: string, addresses: readonly string[], rules: AddressRules): readonly string[] {
  const { allowed, refusal } = judgeHost(host, addresses, rules)
  if (refusal !== undefined) throw new PostError(`refused: its host leads to an address that is ${refusal}`)
  return allowed
}
