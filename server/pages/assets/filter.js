// Reduces lists to the items that contain every typed word. An item of a tree is found by its whole path, and stays
// visible while an item below it is visible. Without this script the boxes stay hidden.

for (const box of document.querySelectorAll('[data-filter]')) connect(box, collectItems(box.dataset.filter))

function connect(box, items) {
  const input = box.querySelector('input')
  const output = box.querySelector('output')
  const folds = new Set(items.map((item) => item.element.parentElement.closest('details')))
  folds.delete(null)
  const initiallyOpen = new Set([...folds].filter((fold) => fold.open))
  let frame = 0

  function apply() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
    const matches = hideOthers(items, words)
    for (const fold of folds) fold.open = words.length > 0 || initiallyOpen.has(fold)
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

/** Collects the items in document order, so that a parent comes before its children. */
function collectItems(listClass) {
  const byElement = new Map()
  for (const element of document.querySelectorAll(`.${listClass} li`)) {
    const parent = byElement.get(element.parentElement.closest('li'))
    const name = element.querySelector(':scope > a')?.textContent
    const path = parent ? `${parent.path}/${name}` : name
    const text = (listClass === 'tree' ? path : element.textContent).toLowerCase()
    byElement.set(element, { element, parent, path, text, containsMatch: false })
  }
  return [...byElement.values()]
}

/** Hides items that do not match, and returns the number of matches. Goes backwards, from children to their parent. */
function hideOthers(items, words) {
  let matches = 0
  for (const item of items) item.containsMatch = false
  for (const item of items.toReversed()) {
    const isMatch = words.every((word) => item.text.includes(word))
    if (isMatch) matches += 1
    const isVisible = isMatch || item.containsMatch
    if (isVisible && item.parent) item.parent.containsMatch = true
    item.element.hidden = !isVisible
  }
  return matches
}
