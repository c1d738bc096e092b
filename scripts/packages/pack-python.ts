// Builds the wheel of the Python package.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
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
  const args = ['-m', 'flit_core.wheel', '--outdir', destination, join(root, 'python')]
  await promisify(execFile)(python, args, { timeout: 60_000 })
  return join(destination, `floe_client-${await readPythonVersion(root)}-py3-none-any.whl`)
}

/** Reads the version of the Python package. */
export async function readPythonVersion(root: string): Promise<string> {
  const project = await readFile(join(root, 'python/pyproject.toml'), 'utf8')
  const [, version] = /^version = "(.+)"$/m.exec(project) ?? []
  if (version === undefined) throw new Error('python/pyproject.toml has no version')
  return version
}
