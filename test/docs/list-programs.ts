import { glob, readFile } from 'node:fs/promises'

const root = new URL('../../', import.meta.url)

/**
 * The TypeScript programs of all documents, by names for their files that tell document and line. A block without imports continues the
 * program above it.
 */
export async function listPrograms(): Promise<Readonly<Record<string, string>>> {
  const programs: Record<string, string> = {}
  for await (const path of glob(['*.md', '*/README.md', 'docs/**/*.md'], { cwd: root })) {
    let name = ''
    const document = await readFile(new URL(path, root), 'utf8')
    for (const { 1: block = '', index } of document.matchAll(/^```(?:ts|typescript)\n(.*?)^```/gms)) {
      const line = document.slice(0, index).split('\n').length + 1
      if (name === '' || /^import /m.test(block)) name = `${path.replaceAll(/\W/g, '-')}-${line}.ts`
      programs[name] = `${programs[name] ?? ''}${block}\n`
    }
  }
  return programs
}
