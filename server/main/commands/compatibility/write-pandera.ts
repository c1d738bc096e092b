// A contract as schemas of pandera, which judge datasets that xarray has opened. Names and units come from repositories
// of others, so they become texts of Python and never code.
import type { DatasetContract } from '@floe/contract'

type Variables = NonNullable<DatasetContract['datasets'][string]['variables']>
type Variable = Variables[string]

/** Writes a module of Python with a schema for each group. */
export function writePandera({ datasets }: DatasetContract): string {
  const schemas = Object.entries(datasets).map(
    ([group, { variables = {} }]) =>
      `    ${writeText(group)}: DatasetSchema(\n` +
      `        data_vars={\n${writeEntries(variables, 'data', writeDataVariable)}        },\n` +
      `        coords={\n${writeEntries(variables, 'coordinate', writeCoordinate)}        },\n` +
      '    ),\n',
  )
  return `from pandera.xarray import Check, Coordinate, DatasetSchema, DataVar\n\nschemas = {\n${schemas.join('')}}\n`
}

function writeEntries(variables: Variables, role: Variable['role'], write: (variable: Variable) => string): string {
  return Object.entries(variables)
    .filter(([, variable]) => variable.role === role)
    .map(([name, variable]) => `            ${writeText(name)}: ${write(variable)},\n`)
    .join('')
}

function writeDataVariable(variable: Variable): string {
  const attributes = listAttributes(variable).map(
    ([name, value]) => `"${name}": ${value.startsWith('^') ? writeEquality(value) : writeText(value)}`,
  )
  return `DataVar(${[...listStructure(variable), `attrs={${attributes.join(', ')}}`].join(', ')})`
}

/** pandera takes a text that begins with `^` for a pattern. */
function writeEquality(value: string): string {
  return `lambda value: value == ${writeText(value)}`
}

/** pandera does not compare attributes of coordinates, so that checks do. */
function writeCoordinate(variable: Variable): string {
  const checks = listAttributes(variable).map(
    ([name, value]) => `Check(lambda array: array.attrs.get("${name}") == ${writeText(value)}, name="${name}")`,
  )
  return `Coordinate(${[...listStructure(variable), `checks=[${checks.join(', ')}]`].join(', ')})`
}

function listStructure({ type, dimensions }: Variable): readonly string[] {
  return [
    // pandera cannot read the texts of other types, such as `StringDType()`.
    ...(type !== undefined && /^[\w<>|[\]]+$/.test(type) ? [`dtype=${writeText(type)}`] : []),
    ...(dimensions === undefined
      ? []
      : [`dims=(${dimensions.map((name) => `${name === null ? 'None' : writeText(name)},`).join(' ')})`]),
    'nullable=True',
  ]
}

function listAttributes({ units, standard_name: standardName }: Variable): readonly (readonly [string, string])[] {
  return [
    ...(units === undefined ? [] : [['units', units] as const]),
    ...(standardName === undefined ? [] : [['standard_name', standardName] as const]),
  ]
}

/** A text of JSON is one of Python too. Characters that are invisible or break a line are escaped. */
function writeText(text: string): string {
  return JSON.stringify(text).replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`,
  )
}
