// Hands the code to the page that opened this window, and to no other origin, then closes the window.
const { host, provider, code } = document.querySelector('main').dataset
if (host && window.opener) {
  const uri = `${location.origin}/wallet/callback/${provider}${code ? `?code=${code}` : ''}`
  window.opener.postMessage({ type: '@portico/social', uri }, host)
  window.close()
}
