// Callers that follow the events of the service. Each reconnects with the last position it has, to any replica.
import { type Readable, setDefaultHighWaterMark } from 'node:stream'
import { machine, type Owner } from '../machine/machine.ts'
import type { SimulatedReplica } from '../world/replicas.ts'

const address = '/v1/services/simulation/acme/_meta/events?events=NewCommit&branches=**'

/** A follower connects again after this silence, in milliseconds; the service says something every 15 s. */
const silenceMs = 40_000

/** How long a follower stops to read, in milliseconds. */
const stalls = [5_000, 60_000, 200_000]

// A connection takes one event that nobody reads, so that those who stop to read for a while hold up the service.
setDefaultHighWaterMark(false, 256)

/** A follower of all head moves. */
export class Follower {
  readonly name: string
  /** The bodies of the events, in the order in which they came. */
  readonly bodies: string[] = []
  /** The position after which the first stream began; undefined before. */
  since: number | undefined
  readonly #replicas: readonly SimulatedReplica[]
  #lastId: string | undefined
  /** Grows with each connection, so that what comes of an earlier one is ignored. */
  #connection = 0
  #heardAt = 0
  #isOver = false

  constructor(name: string, replicas: readonly SimulatedReplica[]) {
    this.name = name
    this.#replicas = replicas
  }

  /** Connects, and again whenever the stream ends or is silent. */
  start(): void {
    this.#heardAt = machine.now
    this.#connect(this.#connection)
    const watch = () => {
      if (machine.now - this.#heardAt > silenceMs) this.#reconnect(this.#connection)
      machine.plan(silenceMs / 4, 'network', watch, { owner: machine.world })
    }
    watch()
  }

  /** Stays connected from now on, with a connection that is read. */
  end(): void {
    this.#isOver = true
    this.#reconnect(this.#connection)
  }

  #reconnect(connection: number): void {
    if (connection !== this.#connection) return
    const next = ++this.#connection
    this.#heardAt = machine.now
    const ms = machine.random.choose([10, 1_000, 10_000])
    machine.plan(ms, 'network', () => this.#connect(next), { owner: machine.world, detail: this.name })
  }

  #connect(connection: number): void {
    if (connection !== this.#connection) return
    const { owner, app } = machine.random.choose(this.#replicas)
    const again = () => this.#inWorld(() => this.#reconnect(connection))
    if (owner === undefined || app === undefined || !owner.isAlive) return again()
    const headers = this.#lastId === undefined ? {} : { 'last-event-id': this.#lastId }
    owner.atEnd.add(again)
    machine.as(owner, () => {
      const read = async () => {
        const answer = await app.inject({ url: address, headers, payloadAsStream: true })
        if (answer.statusCode === 200) this.#read(answer.stream(), owner, connection, again)
        else again()
      }
      read().catch(again)
    })
  }

  #read(stream: Readable, owner: Owner, connection: number, again: () => void): void {
    let text = ''
    stream.setEncoding('utf8')
    stream.on('data', (chunk: string) => {
      this.#inWorld(() => {
        if (connection !== this.#connection) return
        this.#heardAt = Math.max(this.#heardAt, machine.now)
        text += chunk
        const blocks = text.split('\n\n')
        text = blocks.pop() ?? ''
        for (const block of blocks) this.#take(block)
        if (this.#isOver) return
        if (machine.random.chance(0.02)) machine.as(owner, () => this.#stall(stream))
        // Some callers leave in the middle of a stream.
        if (!machine.random.chance(0.02)) return
        machine.as(owner, () => stream.destroy())
        this.#reconnect(connection)
      })
    })
    stream.on('error', again)
    stream.on('close', again)
  }

  /** Stops to read for a time, without noticing how long it is. */
  #stall(stream: Readable): void {
    const ms = machine.random.choose(stalls)
    machine.say(machine.world, `${this.name} stalls`, `for ${ms / 1_000} s`)
    this.#heardAt = machine.now + ms
    stream.pause()
    machine.plan(ms, 'network', () => stream.resume(), { detail: this.name })
  }

  /** What has arrived, whatever becomes of its sender. */
  #inWorld(run: () => void): void {
    machine.plan(2, 'network', run, { owner: machine.world, detail: this.name })
  }

  #take(block: string): void {
    const lines = block.split('\n')
    const data = lines.find((line) => line.startsWith('data: '))
    if (data !== undefined) this.bodies.push(data.slice('data: '.length))
    this.#lastId = lines.find((line) => line.startsWith('id: '))?.slice('id: '.length) ?? this.#lastId
    this.since ??= Number(this.#lastId)
  }
}
