// Receivers that record all requests: quick ones, slow ones, and some that fail or hang before they accept.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { notificationHeaders } from '@floe/contract'
import { z } from 'zod'
import type { Connection } from './processes.ts'
import { startLoopbackReceiver } from '../../bench/deliveries/loopback-deliveries.ts'
import type { SeededRandom } from '../../history/seeded-random.ts'

/** A request that a receiver got. Times are in milliseconds since 1970. */
export type Arrival = {
  readonly id: string
  readonly attempt: number
  readonly body: string
  readonly connection: Connection
  readonly at: number
  /** The status of the answer; null when none was sent completely. */
  status: number | null
  /** When the answer was given or the connection lost; null while the exchange is open. */
  endedAt: number | null
}

/** What every notification has. */
const Sent = z.object({ details: z.object({ repo_name: z.string() }) })

/** How a receiver answers the `nth` request of a delivery, counted from 1. */
type Behaviour = (answer: (status: number) => void, response: ServerResponse, nth: number, random: SeededRandom) => void

/** Behaviours of receivers by name. */
export const behaviours = {
  quick: (answer) => answer(204),
  slow: (answer, _response, _nth, random) => void setTimeout(answer, random.between(100, 1_000), 204),
  failing: (answer, response, nth, random) => {
    if (random.chance(0.25)) response.setHeader('retry-after', 1 + random.below(5))
    // A third failure causes a notice, and a pause of minutes.
    const fails = nth < 3 ? random.chance(0.06) : nth === 3 && random.chance(0.1)
    answer(fails ? 500 + random.below(4) : 204)
  },
  hanging: (answer, response, nth, random) => {
    if (nth > 1 || random.chance(0.96)) answer(204)
    else if (random.chance(0.5)) response.writeHead(200).write('begun')
  },
} satisfies Record<string, Behaviour>

/** Receivers on loopback. Each behaviour has its own port. */
export class CrashReceivers {
  /** By queue: `REPOSITORY/ALIAS`. */
  readonly journal = new Map<string, Arrival[]>()
  readonly #random: SeededRandom
  #arrived = Promise.withResolvers<void>()

  constructor(random: SeededRandom) {
    this.#random = random
  }

  /** Starts a receiver, which takes the path for the alias of a webhook. @returns its origin */
  start(behaviour: Behaviour): Promise<string> {
    return startLoopbackReceiver((request, response) => {
      // A request that a kill interrupts has not arrived.
      this.#receive(behaviour, request, response).catch(() => response.destroy())
    })
  }

  /** Resolves when the next request has arrived. */
  waitForArrival(): Promise<void> {
    return this.#arrived.promise
  }

  async #receive(behaviour: Behaviour, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    const { url: path = '', headers } = request
    const { details } = Sent.parse(JSON.parse(body))
    const queue = `${details.repo_name}${path}`
    const arrivals = this.journal.get(queue) ?? []
    this.journal.set(queue, arrivals)
    const arrival: Arrival = {
      id: String(headers[notificationHeaders.id]),
      attempt: Number(headers[notificationHeaders.attempt]),
      body,
      connection: { from: request.socket.remotePort ?? 0, to: request.socket.localPort ?? 0 },
      at: Date.now(),
      status: null,
      endedAt: null,
    }
    arrivals.push(arrival)
    this.#arrived.resolve()
    this.#arrived = Promise.withResolvers()
    const end = () => (arrival.endedAt ??= Date.now())
    response.on('close', end)
    const answer = (status: number) => {
      if (arrival.endedAt !== null) return
      arrival.status = status
      end()
      response.writeHead(status).end()
    }
    behaviour(answer, response, arrivals.filter(({ id }) => id === arrival.id).length, this.#random)
  }
}
