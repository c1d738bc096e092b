import { join } from 'node:path'
import { rolldown } from 'rolldown'
import type { Test } from 'tap'

/** Bundles a program for browsers, as a user's bundler does, and returns it as one small module. */
export async function bundleProgram(t: Test, program: string): Promise<string> {
  // Below the project, where the packages are found.
  const input = join(t.testdir({ 'program.js': program }), 'program.js')
  const bundle = await rolldown({
    input,
    platform: 'browser',
    resolve: { conditionNames: ['@floe/source', 'browser'] },
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true, codeSplitting: false })
  await bundle.close()
  return output[0].code
}
