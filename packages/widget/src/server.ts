//! Main entry for React server components (condition `react-server`): a modal made there would never reach a browser.

export { PorticoError } from './host/PorticoError.ts'

const ELSEWHERE =
  "The modal lives in the browser: call createAppKit in a file that begins with 'use client' and is imported by your components."

export function createAppKit(): never {
  throw new Error(ELSEWHERE)
}

export class AppKit {
  constructor() {
    throw new Error(ELSEWHERE)
  }

  static getInstance(): undefined {}
}
