// `npm run check`: runs all checks that are not tests, at the same time. The output of each check is printed when it
// ends.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

const checks = [
  // With types, also those of server/settings. The examples whose frameworks are not installed have a long test.
  'oxlint',
  'prettier --check --log-level warn .',
  'knip',
  'node --conditions=@floe/source scripts/check-line-lengths.ts',
  'node --conditions=@floe/source scripts/generate.ts --check',
]

/** Runs a command of node_modules/.bin, which npm adds to PATH. Prints its output at the end. */
async function runCheck(command: string): Promise<boolean> {
  const started = performance.now()
  // A shell is safe, because the commands are constants, and on Windows only a shell finds them.
  const child = spawn(`${command} 2>&1`, { shell: true, stdio: ['ignore', 'pipe', 'inherit'] })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${seconds.padStart(6)} s  ${command}`)
  if (code !== 0) console.log(output.trimEnd())
  return code === 0
}

const results = await Promise.all(checks.map(runCheck))
if (results.includes(false)) process.exitCode = 1
