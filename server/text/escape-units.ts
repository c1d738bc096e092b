/** Writes the UTF-16 units of a text as escapes of JSON, such as `\\u200b`. */
export function escapeUnits(text: string): string {
  const units = text.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'))
  return units.map((digits) => `\\u${digits}`).join('')
}
