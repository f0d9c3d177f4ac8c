// Uses the installed package in jsdom, as tests of a host do.
import { readFile } from 'node:fs/promises'
import { JSDOM, VirtualConsole } from 'jsdom'

const heard = []
const virtualConsole = new VirtualConsole()
for (const kind of ['error', 'warn', 'jsdomError'])
  virtualConsole.on(kind, (...said) => heard.push(said.map(String).join(' ')))
const { window } = new JSDOM('<!doctype html><html><body></body></html>', {
  url: 'https://host.example/',
  pretendToBeVisual: true,
  virtualConsole
})
// Like test runners, adds jsdom's globals; of those that Node has too, only the shared ones are replaced.
const shared = ['AbortController', 'AbortSignal', 'CustomEvent', 'DOMException', 'Event', 'EventTarget', 'navigator']
for (const name of Object.getOwnPropertyNames(window)) {
  if (name in globalThis && !shared.includes(name)) continue
  Object.defineProperty(globalThis, name, { configurable: true, writable: true, value: window[name] })
}
Object.assign(globalThis, { window, document: window.document })
window.fetch = globalThis.fetch = async (url) =>
  String(url).startsWith('file:') ? new Response(await readFile(new URL(url))) : Response.error()
console.error = (...said) => heard.push(said.map(String).join(' '))

const { createAppKit } = await import('@portico/widget')
const { EthersAdapter } = await import('@portico/widget/ethers')
const { mainnet } = await import('@portico/widget/networks')

const kit = createAppKit({ projectId: 'jsdom', adapters: [new EthersAdapter()], networks: [mainnet] })
document.body.innerHTML =
  '<appkit-button namespace="eip155" label="Join"></appkit-button><appkit-network-button></appkit-network-button>'
const button = document.querySelector('appkit-button')
const drawn = button.shadowRoot.querySelector('button').textContent
button.shadowRoot.querySelector('button').click()
const opened = kit.isOpen()
await kit.open()
const title = document
  .querySelector('w3m-modal')
  ?.shadowRoot?.querySelector('[data-testid="w3m-header-text"]')?.textContent
await kit.close()
process.stdout.write(JSON.stringify({ drawn, opened, title, closed: !kit.isOpen(), heard }))
process.exit(0)
