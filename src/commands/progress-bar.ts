const WIDTH = 30

/** Progress bar on stderr, for terminals only. */
export function drawBar(what: string, percent: number): void {
  if (!process.stderr.isTTY) return
  const filled = Math.round((WIDTH * percent) / 100)
  const drawn = `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)}`
  process.stderr.write(`\r${what.padEnd(8)} ${drawn} ${String(Math.floor(percent)).padStart(3)} %`)
}

export function endBar(): void {
  if (process.stderr.isTTY) process.stderr.write('\n')
}
