import { Component, type ComponentChildren } from 'preact'

interface KeptProps {
  /** Values that the drawing depends on, always as many; without them it is drawn each time. */
  on: readonly unknown[] | undefined
  children: () => ComponentChildren
}

/**
 * Draws again only when one of its values is another. An element kept by `useMemo` would do the same, but it holds on to the tree
 * that it was drawn in, and that tree to the ones before: memory would grow with each change of the others.
 */
export class Kept extends Component<KeptProps> {
  override shouldComponentUpdate({ on }: KeptProps): boolean {
    const { on: before } = this.props
    return on === undefined || on.some((value, i) => value !== before?.[i])
  }

  override render({ children }: KeptProps) {
    return children()
  }
}
