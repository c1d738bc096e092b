// Starts the built program as the files in deploy/ start it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'

/** The built program, to which `floe` in an image leads. */
export const floe = fileURLToPath(new URL('../../server/bin/floe.js', import.meta.url))

export const fixtures = fileURLToPath(new URL('../fixtures/repositories', import.meta.url))

export type StartOptions = { readonly cwd: string; readonly environment: Readonly<Record<string, string>> }

/** A service that runs in a process of its own. */
export type Service = {
  readonly origin: string
  /** Sends `SIGTERM`. @returns the exit code */
  readonly stop: () => Promise<number | null>
}

/** Starts a command line on a free port of loopback, and resolves when it is ready. */
export async function startService(
  t: Test,
  [command = '', ...args]: readonly string[],
  { cwd, environment }: StartOptions,
): Promise<Service> {
  const env = { PATH: process.env['PATH'], ...environment, FLOE_LISTEN_HOST: '127.0.0.1', FLOE_LISTEN_PORT: '0' }
  const child: ChildProcess = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  t.teardown(() => child.kill('SIGKILL'))
  if (!child.stdout) throw new TypeError('the service has no output')
  for await (const line of createInterface({ input: child.stdout })) {
    const [, origin] = /^listening on (\S+)/.exec(line) ?? []
    if (origin === undefined) continue
    child.stdout.resume()
    // On a busy machine, the start itself can keep the event loop so long that the service counts as overloaded for a
    // second.
    while (!(await fetch(`${origin}/readyz`)).ok) await setTimeout(100)
    const stop = async () => {
      child.kill('SIGTERM')
      const [code] = await closed
      return typeof code === 'number' ? code : null
    }
    return { origin, stop }
  }
  throw new Error(`${command} ${args.join(' ')} ended before it listened`)
}
