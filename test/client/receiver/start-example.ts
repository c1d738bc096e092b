// Starts an example of a receiver in its own process.
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Test } from 'tap'
import { secretToken, signingSecret } from './sign-headers.ts'

/** The environment of every example. */
export const exampleEnvironment = { FLOE_SECRET_TOKEN: secretToken, FLOE_SIGNING_SECRET: signingSecret }

/** A running receiver. */
export type Example = {
  readonly send: (init: RequestInit) => Promise<Response>
  /** The next line that it prints. */
  readonly printed: () => Promise<string | undefined>
}

/** An {@link Example} in its own process. */
export type ExampleProcess = Example & { readonly child: ChildProcess }

/** Starts a program that prints where it listens. */
export async function startExample(
  t: Test,
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = exampleEnvironment,
): Promise<ExampleProcess> {
  const child = spawn(command, args, {
    env: { ...process.env, ...environment, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => child.kill())
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const printed = async () => (await lines.next()).value
  const [, origin = ''] = /^listening on (http:\S+)$/.exec((await printed()) ?? '') ?? []
  return { send: (init) => fetch(`${origin}/floe`, init), printed, child }
}

/**
 * Checks that a request with a long body is refused with 413. A client that is still sending may see a closed
 * connection instead.
 */
export async function refusesLong(t: Test, sent: Promise<Response>) {
  const outcome = sent.then(async (response) => {
    await response.text()
    return String(response.status)
  })
  const closed = /^(?:EPIPE|ECONNRESET|UND_ERR_SOCKET)$/
  t.match(await outcome.catch(({ cause }) => (closed.test(cause.code) ? '413' : cause)), '413')
}
