/**
 * Prints a double as Python's `repr` does: the shortest digits that read back as the same double, always with a point or
 * an exponent. Magnitudes below 1e-4 and from 1e16 on have an exponent. Source: CPython, `float_repr_style = 'short'`.
 */
export function formatPythonFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf'
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0'
  // JavaScript and Python agree on the digits; they differ in when they use an exponent and how they pad it.
  const magnitude = Math.abs(value)
  if (magnitude >= 1e-4 && magnitude < 1e16) return Number.isInteger(value) ? `${value}.0` : String(value)
  const [digits, exponent = ''] = value.toExponential().split('e')
  return `${digits}e${exponent.slice(0, 1)}${exponent.slice(1).padStart(2, '0')}`
}
