//! Prints of the shop: drawings of our own in `public/art`.

export interface Print {
  readonly id: string
  readonly title: string
  readonly about: string
}

export const prints: readonly Print[] = [
  { id: 'first-light', title: 'First Light', about: 'Sunrise at low tide' },
  { id: 'north-wood', title: 'North Wood', about: 'Moon above the mist' },
  { id: 'dunes', title: 'Dunes', about: 'Late sun on sand' },
  { id: 'orbit', title: 'Orbit', about: 'Four worlds, one star' },
  { id: 'fern', title: 'Fern', about: 'Pressed in August' },
  { id: 'colonnade', title: 'Colonnade', about: 'Four arches and the sea' }
]

export const artOf = ({ id }: Print): string => `/art/${id}.svg`
