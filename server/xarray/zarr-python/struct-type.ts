// numpy's record types, printed as numpy prints them: `[('a', '<i4'), ('b', '<f8')]`.
import type { NumpyType, StructField } from '../dataset.ts'
import { pythonRepr } from '../python/text.ts'

/** Undefined when numpy refuses the fields. */
export function structType(fields: readonly StructField[]): NumpyType | undefined {
  // numpy names an unnamed field after its position.
  const named = fields.map(({ name, type }, index) => ({ name: name === '' ? `f${index}` : name, type }))
  if (named.length === 0 || new Set(named.map(({ name }) => name)).size < named.length) return undefined
  if (named.some(({ type }) => type.kind === 'T')) return undefined // not supported inside records
  const itemBytes = named.reduce((sum, { type }) => sum + type.itemBytes, 0)
  // Joined by `+`, which copies nothing: a record in a record in a record would copy the text of the innermost each time.
  let text = '['
  for (const { name, type } of named)
    text += `${text === '[' ? '' : ', '}(${pythonRepr(name)}, ` + fieldText(type) + ')'
  return { kind: 'V', name: `void${itemBytes * 8}`, text: text + ']', itemBytes, fields }
}

/** Inside a record, numpy prints a type as its code in quotes, and a record like one on its own. */
function fieldText(type: NumpyType): string {
  return type.fields === undefined ? `'${typeCode(type)}'` : type.text
}

function typeCode({ kind, text, itemBytes }: NumpyType): string {
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
