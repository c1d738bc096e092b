// Sorts a list by one of its columns, ascending, then descending, then in the order of the dataset again. Without this script the list
// keeps that order, and the buttons stay hidden.

const powers = ['', 'k', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y']
const compareTexts = new Intl.Collator('en', { numeric: true }).compare

for (const head of document.querySelectorAll('[data-sort]')) connect(head, head.nextElementSibling)

function connect(head, list) {
  const inOrder = [...list.children]
  const buttons = [...head.querySelectorAll('button')]
  for (const [column, button] of buttons.entries()) {
    button.addEventListener('click', () => {
      const before = button.dataset.order
      const order = before === undefined ? 'ascending' : before === 'ascending' ? 'descending' : undefined
      for (const other of buttons) mark(other, undefined)
      mark(button, order)
      list.append(...(order === undefined ? inOrder : sort(inOrder, column, order)))
    })
  }
  head.hidden = false
}

/** Screen readers hear the order after the name of the button. */
function mark(button, order) {
  if (order === undefined) delete button.dataset.order
  else button.dataset.order = order
  button.setAttribute('aria-pressed', String(order !== undefined))
  button.querySelector('.spoken').textContent = order ?? ''
}

/** Rows with equal values keep their order, also when it is descending. */
function sort(items, column, order) {
  const sign = order === 'ascending' ? 1 : -1
  return items
    .map((item) => ({ item, text: item.querySelector('summary, p').children[column].textContent.trim() }))
    .map(({ item, text }) => ({ item, text, size: readSize(text) }))
    .sort((a, b) => sign * (column === 4 ? a.size - b.size : compareTexts(a.text, b.text)))
    .map(({ item }) => item)
}

/** `12MB` in bytes. */
function readSize(text) {
  const [, number, power] = /^(\d+)([kMGTPEZY]?)B$/.exec(text) ?? []
  if (number !== undefined) return number * 1000 ** powers.indexOf(power)
  return text === '' ? -1 : Number.MAX_VALUE
}
