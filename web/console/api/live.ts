interface Handlers {
  /** A change, as the API sends it. */
  onChange(data: unknown): void
  onEnd(): void
  /** True while the stream stands: nobody needs to ask then. */
  onLive(isLive: boolean): void
}

/** Follows a server-sent stream of `progresso` and `fim`. The browser connects again by itself; one that is refused stays closed. */
export function follow(url: string, { onChange, onEnd, onLive }: Handlers): () => void {
  const source = new EventSource(url)
  source.onopen = () => onLive(true)
  source.onerror = () => onLive(false)
  source.addEventListener('progresso', ({ data }) => onChange(JSON.parse(data)))
  source.addEventListener('fim', () => {
    source.close()
    onEnd()
  })
  return () => source.close()
}
