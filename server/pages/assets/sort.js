// Sorts a list by one of its columns: first ascending, then descending, then in the order of the dataset again. Without
// this script the buttons stay hidden.

const powers = ['', 'k', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y']
const compareTexts = new Intl.Collator('en', { numeric: true }).compare

for (const head of document.querySelectorAll('[data-sort]')) connect(head, head.nextElementSibling)

function connect(head, list) {
  const originalOrder = [...list.children]
  const buttons = [...head.querySelectorAll('button')]
  for (const [column, button] of buttons.entries()) {
    button.addEventListener('click', () => {
      const before = button.dataset.order
      const order = before === undefined ? 'ascending' : before === 'ascending' ? 'descending' : undefined
      for (const anyButton of buttons) showOrder(anyButton, undefined)
      showOrder(button, order)
      list.append(...(order === undefined ? originalOrder : sort(originalOrder, column, order)))
    })
  }
  head.hidden = false
}

/** Shows by which column a list is sorted. Screen readers read the order after the name of the button. */
function showOrder(button, order) {
  if (order === undefined) delete button.dataset.order
  else button.dataset.order = order
  button.setAttribute('aria-pressed', String(order !== undefined))
  button.querySelector('.spoken').textContent = order ?? ''
}

/** Sorts rows. Rows with equal values keep their order, also in descending order. */
function sort(items, column, order) {
  const sign = order === 'ascending' ? 1 : -1
  return items
    .map((item) => ({ item, text: item.querySelector('summary, p').children[column].textContent.trim() }))
    .map(({ item, text }) => ({ item, text, number: numbers[column]?.(text) }))
    .sort((a, b) => sign * (a.number === undefined ? compareTexts(a.text, b.text) : a.number - b.number))
    .map(({ item }) => item)
}

/** Columns that are sorted as numbers, by their place. */
const numbers = { 4: readShare, 5: readSize }

/**
 * Reads the share of `46 of 48 chunks written`. `unknown` comes first. Otherwise all chunks are written; only short
 * lists say so.
 */
function readShare(text) {
  const [, written, total] = /^([\d,]+) of ([\d,]+)/.exec(text) ?? []
  if (total !== undefined) return readCount(written) / readCount(total)
  return text === 'unknown' ? -1 : 1
}

function readCount(text) {
  return Number(text.replaceAll(',', ''))
}

/** Reads a size such as `12MB` in bytes. Unknown sizes come first, `more than 1.8e308 B` comes last. */
function readSize(text) {
  const [, number, power] = /^(\d+)([kMGTPEZY]?)B$/.exec(text) ?? []
  if (number !== undefined) return number * 1000 ** powers.indexOf(power)
  return text === '' ? -1 : Number.MAX_VALUE
}
