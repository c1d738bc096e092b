// The key `/` moves to the search box, and search forms leave out empty fields. Search works without this script.

document.addEventListener('keydown', (event) => {
  const box = document.querySelector('#q')
  const isTyping = event.target.matches('input, textarea, select, [contenteditable]')
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping || !box) return
  event.preventDefault()
  box.focus()
  box.select()
})

document.addEventListener('formdata', ({ target, formData }) => {
  if (!target.matches('[role=search]')) return
  const edges = formData.getAll('bbox')
  if (edges.some(Boolean)) formData.set('bbox', edges.join(','))
  for (const name of new Set(formData.keys())) {
    const values = formData.getAll(name).filter((value) => value !== '')
    formData.delete(name)
    for (const value of values) formData.append(name, value)
  }
})
