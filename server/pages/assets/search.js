// The key `/` goes to the search box, and forms for searching leave out what was not filled in. Search works without this script.

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
  for (const name of new Set(formData.keys())) {
    const given = formData.getAll(name).filter((value) => value !== '')
    formData.delete(name)
    for (const value of given) formData.append(name, value)
  }
})
