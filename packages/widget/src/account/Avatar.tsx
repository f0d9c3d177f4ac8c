import { memo } from 'react'

/** Avatar generated from an address: a soft two-colour gradient, the same for the same address everywhere. */
export const Avatar = memo(function Avatar({ address }: { address: string }) {
  // FNV-1a over the lower-case address: its checksum case does not change the picture.
  let seed = 0x811c9dc5
  for (const letter of address.toLowerCase()) seed = Math.imul(seed ^ letter.charCodeAt(0), 0x01000193) >>> 0
  const part = (shift: number, span: number) => ((seed >>> shift) & 0xff) % span
  const hue = part(0, 255) * 1.41
  const light = { x: 8 + part(8, 24), y: 6 + part(12, 22) }
  const deep = { x: 40 + part(16, 20), y: 40 + part(20, 20) }
  const glow = `glow-${seed}`
  const dusk = `dusk-${seed}`
  return (
    <svg className="avatar" viewBox="0 0 64 64" aria-hidden="true" data-testid="single-account-avatar">
      <radialGradient id={glow}>
        <stop stopColor={`hsl(${hue + 40} 95% 78%)`} />
        <stop offset="1" stopColor={`hsl(${hue + 40} 95% 78%)`} stopOpacity="0" />
      </radialGradient>
      <radialGradient id={dusk}>
        <stop stopColor={`hsl(${hue - 30 - part(24, 50)} 85% 48%)`} />
        <stop offset="1" stopColor={`hsl(${hue - 50} 85% 48%)`} stopOpacity="0" />
      </radialGradient>
      <rect width="64" height="64" fill={`hsl(${hue} 78% 56%)`} />
      <circle cx={deep.x} cy={deep.y} r="40" fill={`url(#${dusk})`} />
      <circle cx={light.x} cy={light.y} r="34" fill={`url(#${glow})`} />
    </svg>
  )
})
