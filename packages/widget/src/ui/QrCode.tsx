import { createElement, type ReactNode, useMemo } from 'react'
import { useStyle } from '../theme/style.ts'
import { qrCss } from './qr.css.ts'
import { rounded } from './rounded.ts'

/** Width of the quiet zone around a code, in modules (ISO/IEC 18004). */
const QUIET = 4

/** Modules of a usual pairing code: the skeleton has the same grid. */
const USUAL = 65

interface QrCodeProps {
  /** Content of the code; also an attribute of the element, for tests and scripts of the page. */
  readonly uri: string | null
  readonly code: { readonly size: number; readonly path: string } | null
  readonly label: string
  /** Logo in the middle, on a fifth of the width. */
  readonly children?: ReactNode
}

/** QR code, dark on light in every theme; a skeleton until the code is there. */
export function QrCode({ uri, code, label, children }: QrCodeProps) {
  useStyle(qrCss)
  const path = useMemo(() => code && rounded(code.path), [code])
  const size = (code?.size ?? USUAL) + 2 * QUIET
  const attributes = {
    uri: uri ?? undefined,
    class: 'qr',
    role: 'img',
    'aria-label': label,
    'aria-busy': code ? undefined : 'true'
  }
  return createElement(
    'wui-qr-code',
    // Hosts' tests look for this element name and attribute; `class` and not `className`, as React 18 needs on custom elements.
    { ...attributes, 'data-testid': 'wui-qr-code' },
    <svg
      // A new key, so that a new code fades in over the previous one.
      key={path}
      viewBox={`${-QUIET} ${-QUIET} ${size} ${size}`}
      aria-hidden="true"
    >
      {path ? <path d={path} /> : <Coming />}
    </svg>,
    children && <span className="qr-logo">{children}</span>
  )
}

/** Skeleton of a code: its three finder patterns and a hint of the rest. */
function Coming() {
  const far = USUAL - 7
  const marks = [
    [0, 0],
    [far, 0],
    [0, far]
  ] as const
  return (
    <g className="coming">
      <pattern id="grain" width="4" height="4" patternUnits="userSpaceOnUse">
        <circle cx="1.5" cy="1.5" r="1.1" />
      </pattern>
      <rect x="9" width={USUAL - 18} height="8" fill="url(#grain)" />
      <rect y="9" width={USUAL} height={USUAL - 18} fill="url(#grain)" />
      <rect x="9" y={USUAL - 8} width={USUAL - 9} height="8" fill="url(#grain)" />
      {marks.map(([x, y]) => (
        <path
          key={`${x} ${y}`}
          fillRule="evenodd"
          d={rounded(`M${x} ${y}h7v7h-7zM${x + 1} ${y + 1}v5h5v-5zM${x + 2} ${y + 2}h3v3h-3z`)}
        />
      ))}
    </g>
  )
}
