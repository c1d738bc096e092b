// Narrows lists to the items that hold every typed word. A tree's item is found by its whole path, and stays visible as
// long as something below it does. Without this script the boxes stay hidden.

for (const box of document.querySelectorAll('[data-filter]')) connect(box, collectItems(box.dataset.filter))

function connect(box, items) {
  const input = box.querySelector('input')
  const output = box.querySelector('output')
  const folds = new Set(items.map((item) => item.element.parentElement.closest('details')))
  folds.delete(null)
  const unfoldedAtFirst = new Set([...folds].filter((fold) => fold.open))
  let frame = 0

  function apply() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
    const matches = narrow(items, words)
    for (const fold of folds) fold.open = words.length > 0 || unfoldedAtFirst.has(fold)
    output.textContent =
      words.length > 0 ? `${matches.toLocaleString('en')} of ${items.length.toLocaleString('en')}` : ''
  }

  input.addEventListener('input', () => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(apply)
  })
  box.hidden = false
  if (input.value) apply()
}

/** Returns the items in document order, so a parent comes before its children. */
function collectItems(listClass) {
  const known = new Map()
  for (const element of document.querySelectorAll(`.${listClass} li`)) {
    const parent = known.get(element.parentElement.closest('li'))
    const name = element.querySelector(':scope > a')?.textContent
    const path = parent ? `${parent.path}/${name}` : name
    const text = (listClass === 'tree' ? path : element.textContent).toLowerCase()
    known.set(element, { element, parent, path, text, holdsMatch: false })
  }
  return [...known.values()]
}

/** Hides what does not match and returns the number of matches. Walks backwards, so that children are decided before their parent. */
function narrow(items, words) {
  let matches = 0
  for (const item of items) item.holdsMatch = false
  for (const item of items.toReversed()) {
    const isMatch = words.every((word) => item.text.includes(word))
    if (isMatch) matches += 1
    const isVisible = isMatch || item.holdsMatch
    if (isVisible && item.parent) item.parent.holdsMatch = true
    item.element.hidden = !isVisible
  }
  return matches
}
