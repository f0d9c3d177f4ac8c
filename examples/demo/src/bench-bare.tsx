//! Baseline for bench.html: the same page without the widget.

import { createRoot } from 'react-dom/client'

const root = document.getElementById('root')
if (root) createRoot(root).render(<button type="button">Connect Wallet</button>)
