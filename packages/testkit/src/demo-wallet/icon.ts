/** Drawings for a demo wallet's icon. */
export const ICON_MARKS = ['arch', 'wave', 'sun', 'leaf'] as const

export type IconMark = (typeof ICON_MARKS)[number]

const DRAWINGS: Record<IconMark, string> = {
  arch: '<path d="M26 72V46a22 22 0 0 1 44 0v26M40 72V48a8 8 0 0 1 16 0v24" stroke="#fff" stroke-width="7" stroke-linecap="round" fill="none"/>',
  wave: '<path d="M20 40c9-10 19-10 28 0s19 10 28 0M20 60c9-10 19-10 28 0s19 10 28 0" stroke="#fff" stroke-width="7" stroke-linecap="round" fill="none"/>',
  sun: '<circle cx="48" cy="48" r="13" fill="#fff"/><path d="M48 20v6M48 70v6M20 48h6M70 48h6M28 28l4 4M64 64l4 4M68 28l-4 4M32 64l-4 4" stroke="#fff" stroke-width="6" stroke-linecap="round"/>',
  leaf: '<path d="M26 70c0-30 16-44 46-44 0 30-14 46-36 42" fill="#fff"/><path d="M26 72c6-16 16-26 28-32" stroke="#0003" stroke-width="5" stroke-linecap="round" fill="none"/>'
}

/** Wallet icon as an SVG data URI. It uses presentation attributes only, so that a strict CSP allows it. */
export function walletIcon({ color, mark }: { color: string; mark: IconMark }): string {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96">' +
    '<defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#fff" stop-opacity=".28"/>' +
    '<stop offset="1" stop-color="#000" stop-opacity=".18"/></linearGradient></defs>' +
    `<rect width="96" height="96" rx="22" fill="${color}"/><rect width="96" height="96" rx="22" fill="url(#g)"/>` +
    `${DRAWINGS[mark]}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
