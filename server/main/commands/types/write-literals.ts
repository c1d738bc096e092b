// Text of TypeScript. Names and units come from repositories of others, so everything that could end a text, a comment
// or a line is escaped.
import { sortUtf8 } from '@floe/storage/objects'
import { escapeUnits } from '../../../text/escape-units.ts'
import type { Contract } from './contract-reader.ts'

/** Characters that are invisible or break a line, besides those that JSON escapes. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Writes a text as a literal. */
function writeText(text: string): string {
  return JSON.stringify(text).replace(invisible, escapeUnits)
}

/** Writes a name of a member. `__proto__` has to be computed, because it would set the prototype otherwise. */
function writeName(name: string): string {
  if (name === '__proto__') return '["__proto__"]'
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? name : writeText(name)
}

/** Longest name in a comment, in characters. */
const maxCommentedName = 80

/** Writes a name in a comment: it can neither end the comment nor be a tag, such as `@deprecated`. */
export function writeInComment(name: string): string {
  const shown = name.length > maxCommentedName ? `${name.slice(0, maxCommentedName)}...` : name
  return writeText(shown).replaceAll('@', '\\u0040').replaceAll('*/', '*\\/')
}

/** Writes members, each on a line of its own, sorted by UTF-8 bytes. */
export function writeMembers(members: Iterable<readonly [string, string]>, indent: string): string {
  const texts = new Map(members)
  if (texts.size === 0) return '{}'
  const lines = sortUtf8([...texts.keys()]).map((name) => `${indent}  ${writeName(name)}: ${texts.get(name)},\n`)
  return `{\n${lines.join('')}${indent}}`
}

/** Writes a contract. The text is a value and also a type: that of this value. */
export function writeContractLiteral({ dimensions = {}, variables = {} }: Contract): string {
  const names = sortUtf8(Object.keys(dimensions)).map((name) => `${writeName(name)}: {}`)
  return [
    '{',
    `  dimensions: ${names.length === 0 ? '{}' : `{ ${names.join(', ')} }`},`,
    `  variables: ${writeMembers(
      Object.entries(variables).map(([name, variable]) => [name, writeVariable(variable)]),
      '  ',
    )},`,
    '}',
  ].join('\n')
}

function writeVariable({ type, dimensions, role, units, standard_name }: NonNullable<Contract['variables']>[string]) {
  const texts = { type, role, units, standard_name }
  const list = dimensions?.map((name) => (name === null ? 'null' : writeText(name)))
  const members = Object.entries(texts).flatMap(([name, text]) =>
    text === undefined ? [] : [`${name}: ${writeText(text)}`],
  )
  return `{ ${[...members, ...(list ? [`dimensions: [${list.join(', ')}]`] : [])].join(', ')} }`
}
