//! Host page for visitors who never connect, to measure the widget's cost for them.

import { createAppKit } from '@portico/widget'
import './style.css'
import { optionsFromUrl } from './options.ts'

createAppKit(optionsFromUrl(location.href))

const root = document.getElementById('root')
if (root) {
  root.innerHTML = `
    <header class="bar">
      <a class="brand" href="/idle.html"><img src="/icon.svg" alt="" width="28" height="28">Portico</a>
      <div class="controls"><appkit-button></appkit-button></div>
    </header>
    <main class="page"><div class="lead"><h1>Just reading</h1><p>Nobody opens the modal here.</p></div></main>`
}
