//! The host of bench.html before it took the widget.

import { createRoot } from 'react-dom/client'

const root = document.getElementById('root')
if (root) createRoot(root).render(<button type="button">Connect Wallet</button>)
