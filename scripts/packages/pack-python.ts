// Builds the wheel of the Python package.
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/**
 * Builds the wheel, and returns its path.
 *
 * @param root - directory of the project
 * @param destination - directory for the wheel
 * @param python - a Python that has flit_core
 */
export async function packPython(root: string, destination: string, python: string): Promise<string> {
  const before = new Set(await readdir(destination))
  const args = ['-m', 'flit_core.wheel', '--outdir', destination, join(root, 'python')]
  await promisify(execFile)(python, args, { timeout: 60_000 })
  const [wheel] = (await readdir(destination)).filter((file) => file.endsWith('.whl') && !before.has(file))
  if (wheel === undefined) throw new Error(`flit_core wrote no wheel to ${destination}`)
  return join(destination, wheel)
}

/** Reads the version of the Python package. */
export async function readPythonVersion(root: string): Promise<string> {
  const project = await readFile(join(root, 'python/pyproject.toml'), 'utf8')
  const [, version] = /^version = "(.+)"$/m.exec(project) ?? []
  if (version === undefined) throw new Error('python/pyproject.toml has no version')
  return version
}
