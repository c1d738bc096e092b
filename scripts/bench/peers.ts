// Runs official Icechunk, xarray and xpublish, and writes the repositories of the benchmark.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** The folder of the Python programs. */
export const scriptsFolder = fileURLToPath(new URL('..', import.meta.url))

/** The Python with the packages of scripts/compare/requirements.txt. */
export const python = process.env['FLOE_TEST_PYTHON'] ?? 'python3'

/** Runs a program of `bench/peers` and returns its output. */
export async function runPeer(name: string, args: readonly string[]): Promise<string> {
  const child = spawn(python, ['-m', `bench.peers.${name}`, ...args], {
    env: { ...process.env, PYTHONPATH: scriptsFolder, ICECHUNK_LOG: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${name} ended with ${code}`)
  return output
}
