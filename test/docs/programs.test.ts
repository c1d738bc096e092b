// The TypeScript programs of the documents compile as they stand. test/packages/packages.long.test.ts compiles them as
// users do, with the installed packages and with TypeScript 5.9.
import { fileURLToPath } from 'node:url'
import { t } from 'tap'
import { run } from '../generators/install.ts'
import { listPrograms } from './list-programs.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

t.test('every TypeScript program of the documents compiles', async (t) => {
  const programs = await listPrograms()
  t.ok(Object.keys(programs).length > 10, Object.keys(programs).join(', '))
  // A program may leave what it reads to its reader.
  const compilerOptions = { noUnusedLocals: false }
  const config = JSON.stringify({ extends: `${root}tsconfig.json`, compilerOptions, include: ['*.ts'], exclude: [] })
  const directory = t.testdir({ ...programs, 'tsconfig.json': config })
  await t.resolves(run(process.execPath, [`${root}node_modules/.bin/tsc`, '-p', directory], directory))
})
