/** Shows a message of the service. What it has between backticks, such as the name of a field, is code. */
export function Message({ text }: { readonly text: string }) {
  const parts = text.split('`')
  // An odd number of backticks cannot be pairs: one may belong to a name.
  if (parts.length % 2 === 0) return text
  return parts.map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))
}
