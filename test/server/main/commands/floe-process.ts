// `floe` as a process of its own, run from the source.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import type { ConfigInput } from '../../../../server/main/configuration/schema.ts'
import { testAuthorityFile } from '../../notifications/start-receiver.ts'

/** The program, run from the source. */
export const program = fileURLToPath(new URL('../../../../server/main/floe.ts', import.meta.url))

/** Settings that let notifications reach the receivers of tests. */
export const toLoopback = { allowPrivateNetworks: ['127.0.0.0/8'], extraCaFile: testAuthorityFile }

/** Writes `floe.yaml` into a folder that has `repositories/` and gets the database. Returns the path of the file. */
export async function writeConfig(cwd: string, changes: ConfigInput = {}): Promise<string> {
  const config: ConfigInput = {
    listen: { port: 0 },
    database: `sqlite:${join(cwd, 'floe.db')}`,
    orgs: { acme: { repositories: [{ scan: join(cwd, 'repositories') }] } },
    deployments: [{ name: 'tiles', org: 'acme', public: true }],
    notifications: toLoopback,
    ...changes,
  }
  const file = join(cwd, 'floe.yaml')
  await writeFile(file, JSON.stringify(config))
  return file
}

/** What a command printed, and how it ended. */
export type Ended = {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly out: string
  readonly err: string
}

/** A process that works. */
export type FloeProcess = {
  readonly child: ChildProcess
  /** Resolves when it has ended. */
  readonly ended: Promise<Ended>
}

/** Starts a command; it is killed at the end of the test. */
export function startFloe(t: Test, cwd: string, ...args: string[]): FloeProcess {
  return startWith(t, cwd, [], args)
}

function startWith(t: Test, cwd: string, nodeArgs: readonly string[], args: readonly string[]): FloeProcess {
  // Starts are shorter with the compiled modules of other tests.
  const { NODE_COMPILE_CACHE } = process.env
  const env = { NODE_COMPILE_CACHE }
  const stdio = ['ignore', 'pipe', 'pipe'] as const
  const child = spawn(process.execPath, ['--conditions=@floe/source', ...nodeArgs, program, ...args], {
    cwd,
    env,
    stdio: [...stdio],
  })
  t.teardown(() => child.kill('SIGKILL'))
  const printed = { out: '', err: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (printed.out += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (printed.err += text))
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, ...printed }))
  return { child, ended }
}

/** Runs a command to its end. */
export function runFloe(t: Test, cwd: string, ...args: string[]): Promise<Ended> {
  return startFloe(t, cwd, ...args).ended
}

/** A service that listens. */
export type Service = FloeProcess & { readonly origin: string }

/**
 * Starts `floe serve` with the configuration `floe.yaml`, and waits until it listens. `nodeArgs` are arguments for
 * Node.js.
 */
export function serveConfig(t: Test, cwd: string, nodeArgs: readonly string[] = []): Promise<Service> {
  return waitForOrigin(startWith(t, cwd, nodeArgs, ['serve', '--config', 'floe.yaml']))
}

/** Starts `floe serve`, and waits until it listens. */
export function serve(t: Test, cwd: string, ...args: string[]): Promise<Service> {
  return waitForOrigin(startFloe(t, cwd, 'serve', ...args))
}

async function waitForOrigin(floe: FloeProcess): Promise<Service> {
  const line = await Promise.race([
    once(floe.child.stdout ?? floe.child, 'data').then(String),
    floe.ended.then(({ err }) => {
      throw new Error(err)
    }),
  ])
  const [, origin = ''] = /^listening on (\S+)$/m.exec(line) ?? []
  return { ...floe, origin }
}
