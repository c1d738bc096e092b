// How contract, client and storage are built for publication: plain ESM with declarations, from the sources that
// `exports` in their package.json name.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { defineConfig, type RolldownOptions } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { collectLicences } from './collect-licences.ts'

/** The parts of a package.json that say what to build. */
type Manifest = {
  /** A file that is published as it is, or what is built from a source. */
  readonly exports: Readonly<Record<string, string | { readonly '@floe/source': unknown; readonly default: string }>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/**
 * Defines the build of a package. What the package depends on is left out; development dependencies become part of it.
 *
 * @param root - directory of the package
 * @param threads - programs of threads, which lie beside the files that start them, by the name of their file
 */
export function definePackage(root: string, threads: Readonly<Record<string, string>> = {}): RolldownOptions {
  // The file is ours.
  const { exports, dependencies, peerDependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as Manifest
  const entries = Object.values(exports).flatMap((target) => {
    const source = typeof target === 'string' ? undefined : target['@floe/source']
    if (typeof target === 'string' || typeof source !== 'string') return []
    return [[basename(target.default, '.js'), source] as const]
  })
  const needed = Object.keys({ ...dependencies, ...peerDependencies })
  return defineConfig({
    cwd: root,
    platform: 'neutral',
    input: { ...Object.fromEntries(entries), ...threads },
    external: [/^node:/, ...needed.flatMap((name) => [name, new RegExp(`^${name}/`)])],
    transform: { target: 'es2024' },
    plugins: [dts({ tsconfig: 'tsconfig.build.json' }), collectLicences],
    output: { dir: 'dist', cleanDir: true, chunkFileNames: 'part-[name].js' },
  })
}
