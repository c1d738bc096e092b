// Python for the tests that need it.
import { execFileSync } from 'node:child_process'

/** A command that runs Python, or the reason to skip what needs it. */
export type FoundPython =
  { readonly command: string; readonly skip: false } | { readonly command: ''; readonly skip: string }

/** Looks for a Python that has a module: the one that `FLOE_TEST_PYTHON` names, else `python3`. */
export function findPython(module: string): FoundPython {
  const command = [process.env['FLOE_TEST_PYTHON'], 'python3'].find((candidate) => hasModule(candidate, module))
  if (command !== undefined) return { command, skip: false }
  return { command: '', skip: `no Python with ${module} was found; FLOE_TEST_PYTHON can name one` }
}

function hasModule(command: string | undefined, module: string): boolean {
  if (!command) return false
  try {
    execFileSync(command, ['-c', `import ${module}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
