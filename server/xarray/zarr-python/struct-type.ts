// numpy's record types, printed as numpy prints them: `[('a', '<i4'), ('b', '<f8')]`.
import type { NumpyType, StructField } from '../data-types.ts'
import { writePythonRepr } from '../python/text.ts'

/** Makes a record type; undefined when numpy refuses the fields. */
export function makeStructType(fields: readonly StructField[]): NumpyType | undefined {
  // numpy names an unnamed field after its position.
  const named = fields.map(({ name, type }, index) => ({ name: name === '' ? `f${index}` : name, type }))
  if (named.length === 0 || new Set(named.map(({ name }) => name)).size < named.length) return undefined
  if (named.some(({ type }) => type.kind === 'T')) return undefined // not supported inside records
  const itemBytes = named.reduce((sum, { type }) => sum + type.itemBytes, 0)
  // `+` does not copy. `join` would copy the text of the innermost record at each level of nesting.
  let text = '['
  for (const { name, type } of named)
    text += `${text === '[' ? '' : ', '}(${writePythonRepr(name)}, ` + writeFieldType(type) + ')'
  return { kind: 'V', name: `void${itemBytes * 8}`, text: text + ']', itemBytes, fields }
}

/** Writes the type of a field. numpy prints its code in quotes; a record inside a record prints like any record. */
function writeFieldType(type: NumpyType): string {
  return type.fields === undefined ? `'${writeTypeCode(type)}'` : type.text
}

function writeTypeCode({ kind, text, itemBytes }: NumpyType): string {
  switch (kind) {
    case 'b':
      return '?'
    case 'O':
      return 'O'
    case 'U':
      return text
    case 'S':
    case 'V':
      return text.slice('|'.length)
    case 'M':
    case 'm':
      return `<${kind}8${text.replace(/^[a-z]+64/, '')}`
    default:
      return `${itemBytes === 1 ? '' : '<'}${kind}${itemBytes}`
  }
}
