// The module of `floe types`, evaluated and compiled. Its names are those of repositories of others.
import { execFile } from 'node:child_process'
import { stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { DatasetContract } from '@floe/contract'
import fc from 'fast-check'
import { t } from 'tap'
import type { ByDataset } from '../../../../../server/main/commands/types/collect-schemas.ts'
import { maxConstants, writeContracts, writeModule } from '../../../../../server/main/commands/types/write-module.ts'
import { checkProperty, drawExamples } from '../../../../check-property.ts'
import { hostileDatasets } from './hostile-datasets.ts'

type Contract = DatasetContract['datasets'][string]

/** Runs a module, and returns its constant. */
async function evaluate(text: string): Promise<unknown> {
  const code = stripTypeScriptTypes(text)
  const { datasets } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  return datasets
}

/** Lists all members and values with their paths. Objects with a member called `__proto__` are hard to compare. */
function* listValues(value: unknown, path: readonly string[] = []): Generator<string> {
  if (typeof value !== 'object' || value === null) return yield JSON.stringify([path, value])
  yield JSON.stringify([path, Array.isArray(value) ? 'list' : 'object'])
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype)
    yield JSON.stringify([path, 'another prototype'])
  for (const [name, member] of Object.entries(value)) yield* listValues(member, [...path, name])
}

const sortValues = (value: unknown) => [...listValues(value)].sort()

function toObject(datasets: ByDataset<Contract>): unknown {
  const refs = [...datasets].map(([repo, refs]) => [
    repo,
    Object.fromEntries([...refs].map(([ref, groups]) => [ref, Object.fromEntries(groups)])),
  ])
  return Object.fromEntries(refs)
}

// Proves: a name in a repository never becomes code of the module that `floe types` writes
t.test('any names come back as they were, and none becomes code', async (t) => {
  await checkProperty(
    1_000,
    fc.asyncProperty(hostileDatasets, async (datasets) => {
      const { text } = writeModule(datasets, true)
      t.strictSame(sortValues(await evaluate(text)), sortValues(toObject(datasets)))
      t.strictSame(sortValues(JSON.parse(writeContracts(datasets))), sortValues(toObject(datasets)))
      t.equal(Reflect.get(globalThis, 'broken'), undefined)
      t.notMatch(text, /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u)
    }),
  )
})

/** Writes a program that compiles only if a module has exactly these names. */
function writeAssertions(datasets: ByDataset<Contract>, hasConstants: boolean): string {
  const lines = [`import ${hasConstants ? '{ datasets, type Datasets }' : 'type { Datasets }'} from './datasets.ts'`]
  const same = (type: string, names: readonly string[]) => {
    const union = names.map((name) => JSON.stringify(name)).join(' | ') || 'never'
    lines.push(
      `check<[keyof ${type}] extends [${union}] ? ([${union}] extends [keyof ${type}] ? true : false) : false>()`,
    )
  }
  lines.push('function check<_Result extends true>(): void {}')
  same('Datasets', [...datasets.keys()])
  for (const [repo, refs] of datasets) {
    for (const [ref, groups] of refs) {
      const atRef = `Datasets[${JSON.stringify(repo)}][${JSON.stringify(ref)}]`
      same(atRef, [...groups.keys()])
      for (const [group, { dimensions = {}, variables = {} }] of groups) {
        const dataset = `${atRef}[${JSON.stringify(group)}]`
        same(`${dataset}['dimensions']`, Object.keys(dimensions))
        same(`${dataset}['variables']`, Object.keys(variables))
        for (const [name, { type, units = '' }] of Object.entries(variables)) {
          const variable = `${dataset}['variables'][${JSON.stringify(name)}]`
          lines.push(`check<${variable}['type'] extends ${JSON.stringify(type)} ? true : false>()`)
          if (units) lines.push(`check<${variable}['units'] extends ${JSON.stringify(units)} ? true : false>()`)
        }
      }
    }
  }
  if (hasConstants) lines.push('export const same: Datasets = datasets')
  return `${lines.join('\n')}\nexport {}\n`
}

const compiler = fileURLToPath(new URL('../../../../../node_modules/.bin/tsc', import.meta.url))

t.test('a compiler finds the same names', async (t) => {
  const samples = drawExamples(hostileDatasets, 10)
  const files: Record<string, object> = {}
  for (const [index, datasets] of samples.entries()) {
    for (const hasConstants of [true, false]) {
      files[`${index}-${hasConstants ? 'constants' : 'types'}`] = {
        'datasets.ts': writeModule(datasets, hasConstants).text,
        'assert.ts': writeAssertions(datasets, hasConstants),
      }
    }
  }
  // Each is a module of its own; names are checked as strictly as possible.
  const compilerOptions = {
    target: 'ES2024',
    module: 'NodeNext',
    strict: true,
    exactOptionalPropertyTypes: true,
    isolatedDeclarations: true,
    declaration: true,
    verbatimModuleSyntax: true,
    erasableSyntaxOnly: true,
    allowImportingTsExtensions: true,
    emitDeclarationOnly: true,
    outDir: 'out',
    types: [],
  }
  const directory = t.testdir({
    ...files,
    'package.json': '{"type":"module"}',
    'tsconfig.json': JSON.stringify({ compilerOptions, include: ['*/*.ts'] }),
  })
  const failure = await promisify(execFile)(compiler, ['-p', directory]).then(
    () => '',
    (error: { readonly stdout: string }) => error.stdout,
  )
  t.equal(failure, '')
})

const plain: Contract = { dimensions: { x: {} }, variables: { v: { type: 'int8', dimensions: ['x'], role: 'data' } } }
const other: Contract = { ...plain, dimensions: { x: {}, y: {} } }

function listNames(text: string): string[] {
  return [...text.matchAll(/^export interface (\w+)/gm)].map(([, name = '']) => name)
}

t.test('equal datasets share a constant, and different ones of the same name do not', async (t) => {
  const { text, schemas } = writeModule(
    new Map([
      [
        'weather',
        new Map([
          [
            'main',
            new Map([
              ['a', plain],
              ['b', plain],
            ]),
          ],
          ['v1', new Map([['a', other]])],
        ]),
      ],
      ['Weather', new Map([['main', new Map([['A', { ...plain, dimensions: {} }]])]])],
    ]),
    true,
  )
  t.equal(schemas, 3)
  t.strictSame(listNames(text), ['WeatherA', 'WeatherA2', 'WeatherA3'])
  t.match(text, '/** "weather" "main" "a" and 1 more */')
})

t.test('names of constants are identifiers, whatever the names of repositories are', async (t) => {
  const names = ['2020', 'class', 'Datasets', 'Readonly', '', '気温', 'era5-land.v2', '__proto__', 'x'.repeat(200)]
  const repos = names.map(
    (name, index) =>
      [name, new Map([['main', new Map([['', { ...plain, dimensions: { [`d${index}`]: {} } }]])]])] as const,
  )
  const { text } = writeModule(new Map(repos), true)
  t.strictSame(
    new Set(listNames(text)),
    new Set([
      'Dataset',
      'Dataset2020',
      'Datasets2',
      'Readonly2',
      'Proto',
      'Class',
      'Era5LandV2',
      'Dataset2',
      `X${'x'.repeat(59)}`,
    ]),
  )
  await t.resolves(evaluate(text))
})

t.test('the order of reading does not matter', async (t) => {
  const entries = [
    ['b', plain],
    ['a', other],
    ['\u{1f600}', plain],
    ['\uffee', other],
  ] as const
  const write = (groups: readonly (readonly [string, Contract])[]) =>
    writeModule(new Map([['r', new Map([['main', new Map(groups)]])]]), true).text
  t.equal(write([...entries].reverse()), write(entries))
})

t.test('above 200 distinct datasets there are only types, and the contracts are JSON', async (t) => {
  const make = (count: number) =>
    new Map([
      [
        'r',
        new Map([
          [
            'main',
            new Map(
              Array.from({ length: count }, (_, index) => [
                `g${index}`,
                { ...plain, dimensions: { [`d${index}`]: {} } },
              ]),
            ),
          ],
        ]),
      ],
    ])
  const few = writeModule(make(maxConstants), true)
  t.match(few, { hasConstants: true, schemas: 200 })
  const many = writeModule(make(maxConstants + 1), true)
  t.match(many, { hasConstants: false, schemas: 201 })
  t.notMatch(many.text, /\bconst\b/)
  t.equal(many.text, writeModule(make(maxConstants + 1), false).text)
  t.strictSame(JSON.parse(writeContracts(make(2))), {
    r: { main: { g0: { ...plain, dimensions: { d0: {} } }, g1: { ...plain, dimensions: { d1: {} } } } },
  })
})
