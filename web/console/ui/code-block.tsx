/** Text as it is, in a box that scrolls. */
export function CodeBlock({ label, text }: { label: string; text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keys
    <section class="code" aria-label={label} tabIndex={0}>
      <pre>{text}</pre>
    </section>
  )
}
