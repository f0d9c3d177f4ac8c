// Hands the code to the page that opened this window, and to no other origin, then closes the window. Without such a page the visitor goes on to
// the page from which the login began, which is of the same origin.
const { host, back, provider, code } = document.querySelector('main').dataset
const uri = `${location.origin}/wallet/callback/${provider}${code ? `?code=${code}` : ''}`
if (host && window.opener) {
  window.opener.postMessage({ type: '@portico/social', uri }, host)
  window.close()
} else if (back) {
  const page = new URL(back)
  page.searchParams.set('portico-login', uri)
  if (page.origin === host) location.replace(page)
}
