// What is typed in the fields of a form, and the members of the request that it becomes.
import type { StoredSearch } from '@floe/client'
import type { FieldErrors } from '../failures.ts'
import type { FormField } from './form-field.ts'
import { readHeaders } from './header-lines.ts'
import { listLines } from './list-lines.ts'
import { readSearch, writeSearch } from './search-text.ts'

/**
 * The text of a field; of several values, one per line. A secret that the service has stored is undefined while it is
 * kept, and null if it is removed.
 */
export type FieldValue = string | null | undefined

/** The values of a form by the names of its fields. */
export type FieldValues = Readonly<Record<string, FieldValue>>

/** Writes the members of a record for the fields of its form. */
export function writeValues(fields: readonly FormField[], record: object): FieldValues {
  const members: Readonly<Record<string, unknown>> = { ...record }
  return Object.fromEntries(fields.map((field) => [field.name, writeValue(field, members[field.name])]))
}

function writeValue({ control, options = [], stored }: FormField, value: unknown): FieldValue {
  if (stored) return undefined
  if (control === 'object') return value ? JSON.stringify(value) : ''
  if (control === 'document') return value === undefined ? '' : JSON.stringify(value, null, 2)
  if (control === 'search') return writeSearch(value as StoredSearch | null) // the member is declared as a search
  // Null stands for all options.
  if (control === 'checkboxes' && value === null) return options.map((option) => option.value).join('\n')
  if (Array.isArray(value))
    return value.map((item) => (typeof item === 'string' ? item : JSON.stringify(item))).join('\n')
  return typeof value === 'string' || typeof value === 'number' || value === true ? String(value) : ''
}

/** Says which fields are empty or cannot be read. The service checks the rest. */
export function findFaults(fields: readonly FormField[], values: FieldValues): FieldErrors {
  const faults = fields.map((field) => [field.name, findFault(field, values[field.name])] as const)
  return Object.fromEntries(faults.flatMap(([name, fault]) => (fault === undefined ? [] : [[name, fault]])))
}

function findFault({ control, label, isRequired, stored }: FormField, value: FieldValue): string | undefined {
  const text = value?.trim() ?? ''
  if (text === '') {
    const isMissing = stored ? value === '' : isRequired
    if (!isMissing) return undefined
    return control === 'checkboxes' ? 'Select at least one.' : `Enter the ${label}.`
  }
  if (control === 'search' && readSearch(text) === null)
    return 'Enter a query, such as q=temperature, or the address of a search page.'
  if (control === 'headers' && readHeaders(text) === null)
    return 'Enter each header once and on one line, such as Authorization: Bearer …'
  if (control === 'objects')
    return listLines(text)
      .map(findJsonFault)
      .find((fault) => fault !== undefined)
  return control === 'document' || control === 'object' ? findJsonFault(text) : undefined
}

function findJsonFault(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return `must be JSON: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** Reads the members of a request from fields without faults. The service refuses what is no such request. */
export function readValues(fields: readonly FormField[], values: FieldValues): object {
  return Object.fromEntries(fields.map((field) => [field.name, readValue(field, values[field.name])]))
}

function readValue({ control, isNullable, options = [] }: FormField, value: FieldValue): unknown {
  const text = value?.trim() ?? ''
  if (value === undefined) return undefined
  if (control === 'checkbox') return text !== ''
  if (control === 'headers') return readHeaders(text)
  // JSON leaves out what is undefined.
  if (text === '') return isNullable ? null : undefined
  if (control === 'checkboxes') {
    const chosen = listLines(text)
    // All options stand for those that come later, too.
    return isNullable && chosen.length === options.length ? null : chosen
  }
  if (control === 'lines') return listLines(text)
  if (control === 'objects') return listLines(text).map((line): unknown => JSON.parse(line))
  if (control === 'search') return readSearch(text)
  if (control === 'document' || control === 'object') return JSON.parse(text)
  // The input has a time in the time zone of the browser.
  if (control === 'time') return new Date(text).toISOString()
  return control === 'number' ? Number(text) : text
}
