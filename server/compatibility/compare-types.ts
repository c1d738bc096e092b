import { type Change, makeChange } from './change.ts'

/** Compares the types of a variable, which are texts of dtypes of numpy. */
export function compareTypes(variable: string, before: string, after: string): readonly Change[] {
  if (before === after) return []
  const details = { variable, before, after }
  const isText = ['<U', '|S'].some((form) => [before, after].every((type) => hasWidth(type, form)))
  if (isText) return [makeChange('text-width-changed', 'compatible', details)]
  return [makeChange('type-changed', 'breaking', isWidened(before, after) ? { ...details, widened: true } : details)]
}

/** Whether a type is text or bytes of a fixed width, such as `<U5`. */
function hasWidth(type: string, form: string): boolean {
  return type.startsWith(form) && /^[0-9]+$/.test(type.slice(form.length))
}

/** Numbers that a type holds: integers by their bits, or floats by their digits, alone or as complex pairs. */
type NumberType =
  | { readonly kind: 'whole'; readonly isSigned: boolean; readonly bits: number }
  | { readonly kind: 'float'; readonly isComplex: boolean; readonly digits: number }

/** Binary digits of a float, by its size in bits. Source: IEEE 754. */
const floatDigits: ReadonlyMap<string, number> = new Map([
  ['float16', 11],
  ['float32', 24],
  ['float64', 53],
  ['complex64', 24],
  ['complex128', 53],
])

function parseNumberType(type: string): NumberType | undefined {
  const [, unsigned, bits] = /^(u?)int(8|16|32|64)$/.exec(type) ?? []
  if (bits !== undefined) return { kind: 'whole', isSigned: unsigned === '', bits: Number(bits) }
  const digits = floatDigits.get(type)
  return digits === undefined ? undefined : { kind: 'float', isComplex: type.startsWith('complex'), digits }
}

/** Whether a type of numbers holds every value of another one exactly. */
function isWidened(before: string, after: string): boolean {
  const [old, current] = [parseNumberType(before), parseNumberType(after)]
  if (old === undefined || current === undefined) return false
  if (old.kind === 'float')
    return current.kind === 'float' && current.digits >= old.digits && (current.isComplex || !old.isComplex)
  // The lowest value is a power of two, which floats hold.
  const digits = old.isSigned ? old.bits - 1 : old.bits
  if (current.kind === 'float') return current.digits >= digits
  return (current.isSigned ? current.bits - 1 : current.bits) >= digits && (current.isSigned || !old.isSigned)
}
