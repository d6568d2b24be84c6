import { Component, type ComponentChildren } from 'preact'

interface KeptProps {
  /** Values that the drawing depends on, always as many. */
  on: readonly unknown[]
  children: () => ComponentChildren
}

/**
 * Draws again only when one of its values is another. An element kept by `useMemo` would do the same, but it holds on to the tree
 * that it was drawn in, and that tree to the ones before: memory would grow with each change of the others.
 */
export class Kept extends Component<KeptProps> {
  override shouldComponentUpdate({ on }: KeptProps): boolean {
    return on.some((value, i) => value !== this.props.on[i])
  }

  override render({ children }: KeptProps) {
    return children()
  }
}
