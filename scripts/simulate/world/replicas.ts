// The replicas: each is a process of the machine that runs the real composition root, with the real application.
import { applyDeclaredApiKeys } from '@floe/storage/database'
import type { FastifyInstance } from 'fastify'
import { buildApplication } from '../../../server/main/application.ts'
import { loadConfig } from '../../../server/main/configuration/load-config.ts'
import type { ConfigInput } from '../../../server/main/configuration/schema.ts'
import { openParts, type Parts } from '../../../server/main/parts.ts'
import { stopServer } from '../../../server/main/run-server.ts'
import { systemTiming } from '../../../server/timing.ts'
import type { Computer } from '../machine/computer.ts'
import { machine, type Owner } from '../machine/machine.ts'

/** The load of this process says nothing about a simulated one. */
const overloadLimits = { eventLoopDelayMs: Infinity, heapUsedBytes: Infinity, rssBytes: Infinity }

/** A place for a replica, in which one process follows the other. */
export class SimulatedReplica {
  readonly name: string
  readonly computer: Computer
  readonly #config: ConfigInput
  readonly #onFailedStart: (error: unknown) => void
  #starts = 0
  owner: Owner | undefined
  app: FastifyInstance | undefined
  parts: Parts | undefined

  /** @param onFailedStart called when the service cannot be started; its process has ended then */
  constructor(name: string, computer: Computer, config: ConfigInput, onFailedStart: (error: unknown) => void) {
    this.name = name
    this.computer = computer
    this.#config = config
    this.#onFailedStart = onFailedStart
  }

  get isUp(): boolean {
    return this.owner?.isAlive === true
  }

  /** Starts a process. */
  start(): void {
    const owner = machine.start(`${this.name}.${++this.#starts}`, this.computer)
    this.owner = owner
    this.app = undefined
    this.parts = undefined
    machine.say(owner, 'starts')
    machine.as(owner, () => {
      void this.#run(owner).catch((error: unknown) => {
        machine.kill(owner)
        machine.as(machine.world, () => this.#onFailedStart(error))
      })
    })
  }

  async #run(owner: Owner): Promise<void> {
    const config = await loadConfig(undefined, {}, this.#config)
    const parts = await openParts(config, systemTiming, {})
    const app = await buildApplication(parts, { ...config, overloadLimits, tracing: undefined })
    await listen(app)
    await applyDeclaredApiKeys(parts.db, parts.declaredKeys, new Date(parts.timing.now()))
    await parts.notifier.start()
    if (!owner.isAlive) return
    machine.say(owner, 'has started')
    owner.readyAt = machine.now
    this.app = app
    this.parts = parts
  }

  /** Ends the process at once. */
  kill(): void {
    if (this.owner !== undefined) machine.kill(this.owner)
  }

  /** Asks the process to end, as SIGTERM does. */
  async stop(): Promise<void> {
    const { owner, app, parts } = this
    if (owner === undefined || app === undefined || parts === undefined) return this.kill()
    machine.say(owner, 'is asked to stop')
    this.app = undefined
    await machine.as(owner, () => stopServer(app, parts))
    machine.kill(owner)
  }
}

/** Runs what begins when a service listens. Requests are injected, so the network is not needed. */
async function listen(app: FastifyInstance): Promise<void> {
  const { server } = app
  Object.assign(server, {
    listen: () => setImmediate(() => server.emit('listening')),
    address: () => ({ address: '127.0.0.1', family: 'IPv4', port: 443 }),
  })
  await app.listen({ host: '127.0.0.1' })
}
