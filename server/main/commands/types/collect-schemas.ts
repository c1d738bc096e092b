// Finds the distinct contracts of datasets, and names them: many datasets share one.
import { sortUtf8 } from '@floe/storage/objects'
import type { Contract } from './contract-reader.ts'
import { writeContractLiteral } from './write-literals.ts'

/** Values of datasets by repository, ref and group. */
export type ByDataset<Value> = ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<string, Value>>>

/** A distinct contract, written as TypeScript, and which datasets have it. */
export type Schema = {
  /** Name of its interface: an identifier that begins with a capital letter. */
  readonly name: string
  readonly text: string
  /** The first dataset that has it. */
  readonly first: { readonly repo: string; readonly ref: string; readonly group: string }
  /** Number of datasets that have it. */
  count: number
}

/** Lists distinct contracts, and which of them each dataset has. Equal datasets give equal lists, in any order. */
export function collectSchemas(datasets: ByDataset<Contract>): { schemas: Schema[]; byDataset: ByDataset<Schema> } {
  const schemas = new Map<string, Schema>()
  const names = new Set(reservedNames)
  const find = (contract: Contract, first: Schema['first']): Schema => {
    const text = writeContractLiteral(contract)
    const known = schemas.get(text)
    if (known !== undefined) {
      known.count++
      return known
    }
    const schema = { name: chooseName(first, names), text, first, count: 1 }
    schemas.set(text, schema)
    return schema
  }
  const byDataset = mapSorted(datasets, (refs, repo) =>
    mapSorted(refs, (groups, ref) => mapSorted(groups, (contract, group) => find(contract, { repo, ref, group }))),
  )
  return { schemas: [...schemas.values()], byDataset }
}

/** Maps the entries of a map, sorted by UTF-8 bytes. */
export function mapSorted<Value, Result>(
  map: ReadonlyMap<string, Value>,
  convert: (value: Value, name: string) => Result,
): Map<string, Result> {
  const converted = new Map<string, Result>()
  for (const name of sortUtf8([...map.keys()])) {
    const value = map.get(name)
    if (value !== undefined) converted.set(name, convert(value, name))
  }
  return converted
}

/** Names that the module uses otherwise. */
const reservedNames = ['Datasets', 'Readonly']

/** Longest name, in characters. */
const maxName = 60

/** Makes a name of repository and group, and takes it. All but ASCII letters and digits separate words. */
function chooseName({ repo, group }: Schema['first'], taken: Set<string>): string {
  const words = `${repo} ${group}`.match(/[A-Za-z]+|\d+/g) ?? []
  const joined = words
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
    .slice(0, maxName)
  const base = /^[A-Z]/.test(joined) ? joined : `Dataset${joined}`
  let name = base
  // A number after a digit would look like part of the name.
  const separator = /\d$/.test(base) ? '_' : ''
  for (let number = 2; taken.has(name); number++) name = `${base}${separator}${number}`
  taken.add(name)
  return name
}
