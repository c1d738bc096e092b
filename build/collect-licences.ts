import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'rolldown'

/** Puts the licences of the packages that are part of a bundle beside it, as most of them ask for. */
export const collectLicences: Plugin = {
  name: 'collect-licences',
  async generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
    const roots = chunks.flatMap(({ moduleIds }) => moduleIds.map(findPackage)).filter((root) => root !== undefined)
    const texts = await Promise.all([...new Set(roots)].sort().map(describePackage))
    if (texts.length === 0) return
    this.emitFile({
      type: 'asset',
      fileName: 'THIRD-PARTY-LICENSES.txt',
      // A package that is installed twice says the same twice.
      source: [...new Set(texts)].join(`\n${'-'.repeat(80)}\n\n`),
    })
  },
}

/** The directory of the package that a module belongs to; undefined for a module of ours. */
function findPackage(moduleId: string): string | undefined {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(moduleId.replaceAll('\\', '/').replace('\0', ''))?.[0]
}

async function describePackage(root: string): Promise<string> {
  // Packages say these three in text.
  const { name, version, license } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Record<
    string,
    string
  >
  const entries = await readdir(root, { withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && /^(?:licen[cs]e|notice|copying)/i.test(entry.name))
  const texts = await Promise.all(files.map(({ name: file }) => readFile(join(root, file), 'utf8')))
  return [`${name} ${version} (${license})\n`, ...texts].join('\n')
}
