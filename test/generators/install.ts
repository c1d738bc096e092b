// Tools and runtimes of others, such as generators and Bun, installed in pinned versions into directories of their own:
// they are tried, not depended on.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify, stripVTControlCharacters } from 'node:util'

const cache = fileURLToPath(new URL('../../node_modules/.cache/generators/', import.meta.url))

/** Longest time for one command, in milliseconds. An installation loads some 100 MB. */
const commandTimeoutMs = 400_000

/** Where tools were installed; or, as tap's `skip`, why they could not be. */
export type Installation = { readonly root: string; readonly skip: string | false }

/** Runs a command, without what tap makes every program of Node.js load. Rejects with what it printed when it fails. */
export async function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const options = { cwd, env, timeout: commandTimeoutMs, maxBuffer: 50_000_000 }
  try {
    return await promisify(execFile)('env', ['--unset=NODE_OPTIONS', command, ...args], options)
  } catch (cause) {
    const { stdout = '', stderr = '' } = cause as { stdout?: string; stderr?: string } // as execFile documents
    throw new Error(`${command} ${args.join(' ')}:\n${stdout}${stderr}`, { cause })
  }
}

/** Installs npm packages, such as `typescript@5.9.3`. */
export function installFromNpm(name: string, packages: readonly string[]): Promise<Installation> {
  return install(name, packages, async (root) => {
    await writeFile(join(root, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
    const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--fetch-retries=1', '--fetch-timeout=20000']
    await run('npm', ['install', ...quiet, ...packages], root)
  })
}

/** Installs Python packages, such as `attrs==26.1.0`, with the Python that `FLOE_TEST_PYTHON` names, else `python3`. */
export function installFromPyPI(name: string, packages: readonly string[]): Promise<Installation> {
  return install(name, packages, async (root) => {
    const python = process.env['FLOE_TEST_PYTHON'] ?? 'python3'
    // A virtual environment that is moved does not work any more, so that its programs are run through its Python. Its
    // own pip, and compiling modules that nobody imports, would take most of the time.
    await run(python, ['-m', 'venv', '--without-pip', root], cache)
    const pip = ['-m', 'pip', '--python', join(root, 'bin/python'), '--quiet', '--disable-pip-version-check']
    await run(python, [...pip, 'install', '--no-compile', '--retries=1', '--timeout=20', ...packages], cache)
  })
}

async function install(
  name: string,
  packages: readonly string[],
  fill: (root: string) => Promise<void>,
): Promise<Installation> {
  const root = join(cache, `${name}-${createHash('sha256').update(packages.join(' ')).digest('hex').slice(0, 16)}`)
  if (existsSync(root)) return { root, skip: false }
  await mkdir(cache, { recursive: true })
  const unfinished = await mkdtemp(join(cache, 'unfinished-'))
  try {
    await fill(unfinished)
    await rename(unfinished, root)
    return { root, skip: false }
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    const printed = error instanceof Error ? error.message.replace(/^.*\n/, '') : String(error)
    const reason = stripVTControlCharacters(printed).replace(/\s+/g, ' ').slice(0, 300)
    return { root, skip: `${packages.join(', ')} could not be installed: ${reason}` }
  }
}
