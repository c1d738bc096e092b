import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

/**
 * Bundles a program for browsers, as a user's bundler does, and returns it as one small module.
 *
 * @param project - directory in which the packages are installed that the program imports
 */
export async function bundleProgram(project: string, program: string): Promise<string> {
  const input = join(project, 'program.js')
  await writeFile(input, program)
  const bundle = await rolldown({ input, platform: 'browser' })
  const { output } = await bundle.generate({ format: 'esm', minify: true, codeSplitting: false })
  await bundle.close()
  return output[0].code
}
