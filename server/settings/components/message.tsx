/** Shows a message of the service. What it has between backticks, such as the name of a field, is code. */
export function Message({ text }: { readonly text: string }) {
  const [before, code, ...after] = text.split('`')
  // An odd number of backticks cannot be pairs: one may belong to a name.
  if (code === undefined || after.length % 2 === 0) return text
  return (
    <>
      {before}
      <code>{code}</code>
      <Message text={after.join('`')} />
    </>
  )
}
