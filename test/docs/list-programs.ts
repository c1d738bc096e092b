import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runHere } from '../server/main/commands/run-here.ts'
import { fixtures } from '../server/start-server.ts'

const root = new URL('../../', import.meta.url)

/**
 * The TypeScript programs of all documents, by names for their files that tell document and line. A block without
 * imports continues the program above it, if no heading is between them. Beside them is the module that the documents
 * have `floe types` write.
 */
export async function listPrograms(): Promise<Readonly<Record<string, string>>> {
  const { out } = await runHere(['types', join(fixtures, 'weather')])
  const programs: Record<string, string> = { 'datasets.ts': out }
  for await (const path of glob(['*.md', '*/README.md', 'docs/**/*.md'], { cwd: root })) {
    let name = ''
    let end = 0
    const document = await readFile(new URL(path, root), 'utf8')
    for (const { 0: fenced, 1: block = '', index } of document.matchAll(/^```(?:ts|typescript)\n(.*?)^```/gms)) {
      const line = document.slice(0, index).split('\n').length + 1
      const isContinued = name !== '' && !/^#+ /m.test(document.slice(end, index)) && !/^import /m.test(block)
      if (!isContinued) name = `${path.replaceAll(/\W/g, '-')}-${line}.ts`
      programs[name] = `${programs[name] ?? ''}${block}\n`
      end = index + fenced.length
    }
  }
  return programs
}
