// Builds the wheel of the Python package.
import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
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
