// Writes the module with the types of datasets. The same datasets give the same bytes.
import type { Contract } from './contract-reader.ts'
import { type ByDataset, collectSchemas, mapSorted, type Schema } from './collect-schemas.ts'
import { writeInComment, writeMembers } from './write-literals.ts'

/** Most distinct contracts that the module has as constants: more of them cost the compiler seconds. */
export const maxConstants = 200

/** A module of TypeScript. */
export type TypesModule = {
  readonly text: string
  /** Number of distinct contracts. */
  readonly schemas: number
  /** Whether it has the contracts as constants, and not only as types. */
  readonly hasConstants: boolean
}

/** Writes the module. It has the contracts as constants if these are wanted and not too many. */
export function writeModule(datasets: ByDataset<Contract>, wantsConstants: boolean): TypesModule {
  const { schemas, byDataset } = collectSchemas(datasets)
  const hasConstants = wantsConstants && schemas.length <= maxConstants
  const parts = [
    '// Written by `floe types`: what readers of these datasets rely on. Write it again when the datasets change.',
    '/* eslint-disable */\n',
    ...schemas.map((schema) => `${writeComment(schema)}\n${writeSchema(schema, hasConstants)}\n`),
    '/** The known datasets by repository, ref and group, for `createClient<Datasets>`. */',
    `export type Datasets = ${writeMap(byDataset, ({ name }) => name)}\n`,
  ]
  if (hasConstants)
    parts.push(
      '/** What readers of these datasets rely on, for `verify`. */',
      `export const datasets: Datasets = ${writeMap(byDataset, nameConstant)}\n`,
    )
  return { text: parts.join('\n'), schemas: schemas.length, hasConstants }
}

function writeSchema(schema: Schema, isConstant: boolean): string {
  const { name, text } = schema
  if (!isConstant) return `export interface ${name} ${text}`
  const constant = nameConstant(schema)
  return [
    `export interface ${name} extends Readonly<typeof ${constant}> {}`,
    `const ${constant} = ${text} as const`,
  ].join('\n')
}

/** The name of a constant. Because of its ending it is no reserved word. */
function nameConstant({ name }: Schema): string {
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}Contract`
}

function writeComment({ first: { repo, ref, group }, count }: Schema): string {
  const others = count === 1 ? '' : ` and ${count - 1} more`
  return `/** ${[repo, ref, group].map(writeInComment).join(' ')}${others} */`
}

function writeMap(schemas: ByDataset<Schema>, write: (schema: Schema) => string): string {
  const members = [...schemas].map(([repo, refs]) => {
    const texts = [...refs].map(([ref, groups]) => {
      const texts = [...groups].map(([group, schema]) => [group, write(schema)] as const)
      return [ref, writeMembers(texts, '    ')] as const
    })
    return [repo, writeMembers(texts, '  ')] as const
  })
  return writeMembers(members, '')
}

/** Writes the contracts by repository, ref and group as JSON. */
export function writeContracts(datasets: ByDataset<Contract>): string {
  const byRepository = mapSorted(datasets, (refs) =>
    Object.fromEntries(mapSorted(refs, (groups) => Object.fromEntries(mapSorted(groups, (contract) => contract)))),
  )
  return `${JSON.stringify(Object.fromEntries(byRepository))}\n`
}
