// Validates links of wallets: an https URL, or the scheme of an app.
// Links that run code, and tracking parameters, are removed.

/** Schemes that run code, read files or load pages without TLS; they belong to no app. */
const REFUSED = new Set([
  'about',
  'blob',
  'data',
  'file',
  'ftp',
  'http',
  'https',
  'intent',
  'javascript',
  'vbscript',
  'view-source',
  'wc',
  'ws',
  'wss'
])

/** Schemes that several apps share because examples are copied: any of those apps might open. */
const SHARED = new Set(['myapp', 'app', 'tw', 'test', 'example'])

function parsed(text) {
  const link = text?.trim()
  if (!link || /[\s\p{C}<>"'`\\{}|^*]/u.test(link) || link.length > 300) return null
  return URL.canParse(link) ? new URL(link) : null
}

/** An https URL without tracking parameters, or null. */
export function web(text) {
  const url = parsed(text)
  if (url?.protocol !== 'https:' || url.username || url.password || url.port || !url.hostname.includes('.')) return null
  for (const name of [...url.searchParams.keys()]) {
    if (/^(utm_\w+|referrer|ref|adj_\w+|pli|authuser|connector)$/.test(name)) url.searchParams.delete(name)
  }
  if (url.hash === '#' || url.hash === '#/') url.hash = ''
  return url.pathname === '/' && !url.search && !url.hash ? url.origin : url.href
}

/** URL of an app by its own scheme, such as `metamask://`, or null. */
export function scheme(text) {
  const url = parsed(text)
  if (!url) return null
  const name = url.protocol.slice(0, -1)
  if (REFUSED.has(name) || SHARED.has(name) || !/^[a-z][a-z0-9+.-]+$/.test(name)) return null
  const rest = text.trim().slice(name.length + 1)
  // The client appends `wc?uri=…`, so a URL with a query cannot be a prefix.
  if (!rest.startsWith('/') || rest.endsWith('?') || /[?&]uri=$/.test(rest) || /^\/\/https?:/i.test(rest)) return null
  return `${name}:${rest === '/' ? '//' : rest}`
}

/** URL prefix to which `wc?uri=…` may be appended: without query or fragment, and not a link to a single page. */
export function universal(text) {
  const link = web(text)
  if (!link) return null
  const url = new URL(link)
  if (url.search || url.hash || store(link) || url.hostname.startsWith('docs.')) return null
  return /(\/download\/?|\.html|apple-app-site-association|assetlinks\.json)$/.test(url.pathname) ? null : link
}

/** Whether a URL is a page of a store or a chat, not of the wallet. */
export function store(link) {
  return /(^|\.)(apple\.com|google\.com|t\.me)$/.test(new URL(link).hostname)
}

/** Home page of the wallet, or null. */
export function page(text) {
  const link = web(text)
  return link && !store(link) ? link : null
}

/** Page of an app in Apple's store, reduced to its number. */
export function appStore(text) {
  const url = parsed(text)
  if (!url || !/^(apps|itunes)\.apple\.com$/.test(url.hostname)) return null
  const number = /\/(?:id)?(\d{9,11})\/?$/.exec(url.pathname)
  return number ? `https://apps.apple.com/app/id${number[1]}` : null
}

/** Page of an app in Google's store, reduced to its package. */
export function playStore(text) {
  const url = parsed(text)
  if (url?.hostname !== 'play.google.com' || url.pathname !== '/store/apps/details') return null
  const name = url.searchParams.get('id') ?? ''
  return /^[A-Za-z]\w*(\.\w+)+$/.test(name) ? `https://play.google.com/store/apps/details?id=${name}` : null
}

/** Page of an extension in Chrome's store, reduced to its id. */
export function chromeStore(text) {
  const url = parsed(text)
  if (!url || !/^(chrome|chromewebstore)\.google\.com$/.test(url.hostname)) return null
  const id = /\/([a-p]{32})\/?$/.exec(url.pathname)
  return id ? `https://chromewebstore.google.com/detail/${id[1]}` : null
}

/** A reverse domain name (EIP-6963), or null. */
export function rdns(text) {
  const name = text?.trim()
  return name && /^[a-z0-9-]+(\.[a-zA-Z0-9_-]+)+$/.test(name) ? name : null
}
