// Hands the code to the page that opened this window, and to no other origin, then closes the window. Without such a page, or where the service cut
// the window off from it, the visitor goes on to the host's page from which the login began, which the vault has checked. Where the visitor is asked
// first, nothing leaves this page before the answer.
const { host, back, provider, code } = document.body.dataset
const part = (id) => document.getElementById(id)

function hand(code) {
  const uri = `${location.origin}/wallet/callback/${provider}${code ? `?code=${code}` : ''}`
  if (host && window.opener) {
    window.opener.postMessage({ type: '@portico/social', uri }, host)
    window.close()
  } else if (back) {
    const page = new URL(back)
    // The wallet's own page opened this window for a login that the visitor adds to their wallet.
    page.searchParams.set(host === location.origin ? 'portico-link' : 'portico-login', uri)
    location.replace(page)
  }
}

function answer(code) {
  part('question').hidden = true
  const end = part(code ? 'done' : 'canceled')
  end.hidden = false
  document.title = end.querySelector('h1').textContent
  hand(code)
}

if (part('question')) {
  part('decline').addEventListener('click', () => answer(''))
  part('approve').addEventListener('click', () => answer(code))
  // The visitor may be in the midst of a double click on the service's page.
  setTimeout(() => {
    part('approve').disabled = false
  }, 1000)
} else {
  hand(code)
}
