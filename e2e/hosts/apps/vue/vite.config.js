import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'

export default defineConfig({
  // A warning about a slow machine is none about the page.
  build: { rolldownOptions: { checks: { bundlerTimings: false } } },
  plugins: [vue({ template: { compilerOptions: { isCustomElement: (name) => name.startsWith('appkit-') } } })]
})
