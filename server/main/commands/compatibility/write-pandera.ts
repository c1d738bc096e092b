// A contract as schemas of pandera, which judge datasets that xarray has opened. Names and units come from repositories
// of others, so they become texts of Python and never code. `contract_from_pandera` of the Python client reads them.
import type { DatasetContract } from '@floe/contract'

type ContractedDataset = DatasetContract['datasets'][string]
type Variables = NonNullable<ContractedDataset['variables']>
type Variable = Variables[string]

const head = `from pandera.xarray import Check, Coordinate, DatasetSchema, DataVar


def has(member, value):
    """Check what pandera does not compare itself."""
    return Check(
        lambda array: value == (str(array.dtype) if member == "type" else array.attrs.get(member)),
        name=member,
        statistics={member: value},
    )


schemas = {
`

/** Writes a module of Python with a schema for each group. */
export function writePandera({ datasets }: DatasetContract): string {
  return `${head}${Object.entries(datasets).map(writeSchema).join('')}}\n`
}

function writeSchema([group, { dimensions = {}, variables = {} }]: readonly [string, ContractedDataset]): string {
  const sizes = Object.entries(dimensions).map(([name, { size }]) => `${writeText(name)}: ${size ?? 'None'}`)
  return (
    `    ${writeText(group)}: DatasetSchema(\n` +
    `        data_vars={\n${writeEntries(variables, 'data')}        },\n` +
    `        coords={\n${writeEntries(variables, 'coordinate')}        },\n` +
    `        sizes={${sizes.join(', ')}},\n` +
    '    ),\n'
  )
}

function writeEntries(variables: Variables, role: Variable['role']): string {
  return Object.entries(variables)
    .filter(([, variable]) => variable.role === role)
    .map(([name, variable]) => `            ${writeText(name)}: ${writeVariable(variable)},\n`)
    .join('')
}

/**
 * Writes what readers rely on in a variable. pandera compares no attributes of coordinates, cannot read some types,
 * such as `StringDType()`, and takes a text that begins with `^` for a pattern. Checks compare these.
 */
function writeVariable({ type, dimensions, role, units, standard_name: standardName }: Variable): string {
  const parts: string[] = []
  const attributes: string[] = []
  const checks: string[] = []
  if (type !== undefined && /^[\w<>|[\]]+$/.test(type)) parts.push(`dtype=${writeText(type)}`)
  else if (type !== undefined) checks.push(`has("type", ${writeText(type)})`)
  if (dimensions !== undefined) parts.push(`dims=(${dimensions.map((name) => `${writeName(name)},`).join(' ')})`)
  for (const [name, value] of Object.entries({ units, standard_name: standardName })) {
    if (value === undefined) continue
    if (role === 'data' && !value.startsWith('^')) attributes.push(`"${name}": ${writeText(value)}`)
    else checks.push(`has("${name}", ${writeText(value)})`)
  }
  parts.push('nullable=True')
  if (attributes.length > 0) parts.push(`attrs={${attributes.join(', ')}}`)
  if (checks.length > 0) parts.push(`checks=[${checks.join(', ')}]`)
  return `${role === 'data' ? 'DataVar' : 'Coordinate'}(${parts.join(', ')})`
}

function writeName(name: string | null): string {
  return name === null ? 'None' : writeText(name)
}

/** A text of JSON is one of Python too. Characters that are invisible or break a line are escaped. */
function writeText(text: string): string {
  return JSON.stringify(text).replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`,
  )
}
