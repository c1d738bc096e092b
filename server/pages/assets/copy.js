// Adds buttons that copy the text, or the address of a link, after them. Without this script there are no buttons.

for (const source of document.querySelectorAll('[data-copy]')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(source.href ?? source.textContent)
      button.textContent = 'Copied'
    } catch {
      // Browsers have no clipboard for pages without TLS.
      getSelection().selectAllChildren(source)
      button.textContent = 'Selected'
    }
    setTimeout(() => (button.textContent = 'Copy'), 2_000)
  })
  source.before(button)
}
