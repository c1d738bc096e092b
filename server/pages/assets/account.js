// Names who is signed in, because the page itself is the same for all. Without this script the link says `Account`.

async function nameAccount(link) {
  const answer = await fetch(link.href, { headers: { accept: 'application/json' } })
  if (!answer.ok) return
  const { person, orgs } = await answer.json()
  if (person !== null) link.textContent = person.email ?? person.subject
  else if (orgs.length === 0) {
    link.textContent = 'Sign in'
    link.href = `${link.href.replace(/account$/, 'sign-in')}?next=${encodeURIComponent(location.pathname + location.search)}`
  }
}

// Without an answer, the link stays as it is.
nameAccount(document.querySelector('.account')).catch(() => {})
