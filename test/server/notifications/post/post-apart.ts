import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Cleanup } from '../start-receiver.ts'

/**
 * Sends one POST to `url` in a process with other variables, which Node.js and libraries read when they start.
 *
 * @returns what it prints
 */
export async function postApart(t: Cleanup, url: string, variables: Readonly<Record<string, string>>): Promise<string> {
  const program = fileURLToPath(new URL('post-once.ts', import.meta.url))
  const env = { ...process.env, ...variables }
  const child = spawn(process.execPath, [...process.execArgv, program, url], { env })
  t.teardown(() => child.kill())
  return (await text(child.stdout)).trim()
}
