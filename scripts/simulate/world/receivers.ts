// Receivers, and what each of them got. A receiver answers each request of a connection as it is in the mood to.
import { notificationHeaders } from '@floe/contract'
import { machine, type Owner } from '../machine/machine.ts'
import { type Connection, type Host, hosts, type Peer } from '../machine/patch-network.ts'
import { type HttpRequest, takeRequest, writeAnswer } from './http-messages.ts'

/** A request that a receiver got completely. */
export type Arrival = {
  readonly at: number
  /** The repository and the webhook; of a chat, the chat alone. */
  readonly queue: string
  /** The path and the query of the URL. */
  readonly target: string
  /** The id of the delivery, or that of the one which it replays as new; empty for a chat. */
  readonly id: string
  readonly attempt: number
  readonly body: string
  readonly sender: Owner
  /** Whether its connection had carried another request before. */
  readonly isReused: boolean
  /** The status of the answer; undefined when none was given. */
  status?: number
  /** How long the answer asks to wait, in milliseconds. */
  requestedMs?: number
  /** When the answer was given, or the connection ended. */
  endedAt?: number
}

export function isAccepted({ status }: Pick<Arrival, 'status'>): boolean {
  return status !== undefined && status >= 200 && status < 300
}

/** How long a receiver asks to wait: in seconds, or until a date, which has whole seconds. */
export type RetryAfter = { readonly seconds: number; readonly isDate?: boolean }

/** How a receiver answers. `between` is when its answer comes, in milliseconds. */
export type Mood = {
  readonly name: string
  readonly between: readonly [number, number]
  /** Undefined: it never answers. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** One of them is in each answer. */
  readonly retryAfter?: readonly RetryAfter[]
  readonly bodyBytes?: number
  readonly closes?: 'orderly' | 'with a reset'
  /** The failure of look-ups and connections. */
  readonly lookUpCode?: string
  readonly connectCode?: string
}

export const well: Mood = { name: 'well', between: [1, 150], status: 204 }
export const failing: Mood = { name: 'failing', between: [1, 300], status: 503 }

function writeRetryAfter({ seconds, isDate }: RetryAfter): string {
  return isDate ? new Date(machine.clock + seconds * 1_000).toUTCString() : String(seconds)
}

/** A receiver under a name of its own. */
export class SimulatedReceiver implements Host {
  readonly name: string
  readonly address: string
  readonly arrivals: Arrival[] = []
  mood = well
  /** Whether it never answers that it is gone. */
  readonly stays: boolean
  readonly #onArrival: (arrival: Arrival) => void

  constructor(name: string, index: number, onArrival: (arrival: Arrival) => void, { stays = false } = {}) {
    this.name = name
    this.stays = stays
    this.address = `10.0.${Math.floor(index / 200)}.${1 + (index % 200)}`
    this.#onArrival = onArrival
    hosts.set(this.host, this)
  }

  get host(): string {
    return `${this.name}.example`
  }

  lookUp() {
    const { lookUpCode: code } = this.mood
    return { ms: machine.random.between(0.5, 40), ...(code && { code }) }
  }

  connect() {
    const { connectCode: code } = this.mood
    return code === 'hangs' ? undefined : { ms: machine.random.between(0.5, 60), ...(code && { code }) }
  }

  accept(connection: Connection): Peer {
    let buffered = ''
    let open: Arrival | undefined
    let isEnded = false
    let requests = 0
    const answer = (mood: Mood) => {
      if (isEnded || open === undefined) return
      const { status = 500, bodyBytes = 0, closes } = mood
      const wait = mood.retryAfter && machine.random.choose(mood.retryAfter)
      const headers = { ...mood.headers, ...(wait && { 'retry-after': writeRetryAfter(wait) }) }
      open.endedAt = machine.now
      if (wait !== undefined) open.requestedMs = wait.seconds * 1_000
      if (closes !== 'with a reset') {
        open.status = status
        connection.send(writeAnswer(status, headers, Buffer.alloc(bodyBytes, 'x')))
      }
      machine.say(machine.world, `${this.name} answers`, `${open.status ?? 'nothing'} to ${open.id}`)
      open = undefined
      if (closes === undefined) return
      isEnded = true
      connection.end(closes === 'with a reset')
    }
    return {
      receive: (bytes) => {
        // A request that meets the end of its connection on the way is not seen.
        if (isEnded) return
        // Requests hold only characters of one byte, or are read for their length alone.
        buffered += bytes.toString('latin1')
        const request = takeRequest(buffered)
        if (request === undefined) return
        buffered = buffered.slice(request.length)
        open = this.#note(request, connection.owner, requests++ > 0)
        const { mood } = this
        if (mood.status === undefined) return
        machine.plan(machine.random.between(...mood.between), 'network', () => answer(mood), { owner: machine.world })
      },
      close: () => {
        isEnded = true
        if (open !== undefined) open.endedAt = machine.now
      },
    }
  }

  #note({ path, headers, body }: HttpRequest, sender: Owner, isReused: boolean): Arrival {
    // Every notification has details. Messages for chats have none.
    const { details } = JSON.parse(body) as { details?: { repo_name: string } }
    const arrival: Arrival = {
      at: machine.now,
      queue: `${details?.repo_name ?? ''}${path.split('?')[0]}`,
      target: path,
      id: headers.get(notificationHeaders.replayOf) ?? headers.get(notificationHeaders.id) ?? '',
      attempt: Number(headers.get(notificationHeaders.attempt)),
      body,
      sender,
      isReused,
    }
    machine.say(
      machine.world,
      `${this.name} gets`,
      `${arrival.queue} ${arrival.id} attempt ${arrival.attempt} of ${sender.name}`,
    )
    this.#onArrival(arrival)
    this.arrivals.push(arrival)
    return arrival
  }
}
