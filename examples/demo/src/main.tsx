import { createAppKit } from '@portico/widget/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { Refusal } from './Refusal.tsx'
import './style.css'
import './shop.css'
import { optionsFromUrl } from './options.ts'
import { dressPage } from './page.ts'
import { announceDemoWallets } from './wallets.ts'

type Kit = ReturnType<typeof createAppKit>

declare global {
  interface Window {
    /** Result of `createAppKit`, for tests and for experiments in the console. */
    kit: Kit | undefined
  }
}

dressPage(location.href)
await announceDemoWallets(location.href)

function begin(): { kit: Kit } | { refusal: unknown } {
  try {
    return { kit: createAppKit(optionsFromUrl(location.href)) }
  } catch (refusal) {
    return { refusal }
  }
}

const begun = begin()
window.kit = 'kit' in begun ? begun.kit : undefined
const root = document.getElementById('root')
if (root) {
  const page = 'kit' in begun ? <App kit={begun.kit} /> : <Refusal reason={begun.refusal} />
  createRoot(root).render(<StrictMode>{page}</StrictMode>)
}
