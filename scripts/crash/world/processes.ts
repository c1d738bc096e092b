// Starts the services that are killed, and finds the sender of a request.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

/** A service, running or not. */
export type CrashProcess = {
  readonly number: number
  readonly child: ChildProcess
  /** Resolves with the origin when the service listens; never if it ends before. */
  readonly origin: Promise<string>
}

/** A kill of a process, in milliseconds since 1970. */
export type Kill = { readonly at: number; readonly process: number }

/** Longest stop of a process, in milliseconds. A service stops within 16 s. */
const stopLimitMs = 60_000

/** Cache of compiled modules, so that services start quickly. */
const compiled = fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url))

/** The ports of a connection. Two processes can use one port for different receivers at the same time. */
export type Connection = { readonly from: number; readonly to: number }

/** The report of a connection that a service has opened. */
const OpenedConnection = z.object({ from: z.int(), to: z.int(), at: z.number() })

/** The services log to a file, because they repeat the same error while the database restarts. */
export const logFile = join(tmpdir(), `floe-crash-${process.pid}.log`)

/** Finds the code or signal with which a process has ended; null while it runs. */
export function findEnd({ child }: CrashProcess): number | string | null {
  return child.exitCode ?? child.signalCode
}

/** All processes of a run. Their numbers count from 1. */
export class CrashProcesses {
  readonly kills: Kill[] = []
  readonly #config: string
  readonly #log = openSync(logFile, 'a')
  #count = 0
  /** By the ports of both ends, in order of time. */
  readonly #connections = new Map<string, { readonly at: number; readonly process: number }[]>()

  /** @param config path of the configuration file of all processes */
  constructor(config: string) {
    this.#config = config
  }

  /** @param aheadMs how far the clock of the process is ahead of those of the others, in milliseconds */
  start(aheadMs = 0): CrashProcess {
    const program = fileURLToPath(new URL('clocked-floe.ts', import.meta.url))
    const number = ++this.#count
    const child = fork(program, [this.#config, String(aheadMs)], {
      stdio: ['ignore', 'pipe', this.#log, 'ipc'],
      env: { ...process.env, NODE_COMPILE_CACHE: compiled },
    })
    child.on('message', (message) => {
      const { from, to, at } = OpenedConnection.parse(message)
      const ports = `${from} ${to}`
      const connections = this.#connections.get(ports) ?? []
      this.#connections.set(ports, [...connections, { at, process: number }])
    })
    const { promise: origin, resolve } = Promise.withResolvers<string>()
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const origin = /listening on (\S+)/.exec(text)?.[1]
      if (origin !== undefined) resolve(origin)
    })
    return { number, child, origin }
  }

  /** Kills a process that has not ended by itself, as {@link findEnd} tells. */
  async kill({ number, child }: CrashProcess): Promise<void> {
    const exit = once(child, 'exit')
    // Not when the end is noticed: another replica may notice it first, and repeat what this one was sending.
    const at = Date.now()
    child.kill('SIGKILL')
    await exit
    if (child.signalCode === 'SIGKILL') this.kills.push({ at, process: number })
  }

  /** Stops a process as an operator would. @returns its exit code */
  async stop({ child }: CrashProcess): Promise<unknown> {
    const exit = once(child, 'exit', { signal: AbortSignal.timeout(stopLimitMs) })
    child.kill('SIGTERM')
    return (await exit)[0]
  }

  /** Finds the process that had this connection at a time; undefined when none has reported it. */
  readonly findSender = ({ from, to }: Connection, at: number): number | undefined =>
    this.#connections.get(`${from} ${to}`)?.findLast((connection) => connection.at <= at)?.process
}
