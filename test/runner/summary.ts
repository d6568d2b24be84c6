// Prints each test file as it ends, with its failures and, where files were asked for, its tests; then the slowest files and the sum.
import type { Outcome } from './reporter.ts'

const SLOWEST = 15

export function createSummary({ verbose }: { verbose: boolean }) {
  const begun = performance.now()
  const outcomes: Outcome[] = []

  function add(outcome: Outcome): void {
    outcomes.push(outcome)
    const { file, passed, failed, skipped, tree, failures } = outcome
    const skips = skipped > 0 ? `, ${skipped} skipped` : ''
    const fails = failed > 0 ? `, ${failed} FAILED` : ''
    if (verbose) console.log(tree.join('\n'))
    console.log(`${failed > 0 ? '✖' : '✔'} ${file}: ${passed} passed${skips}${fails} (${times(outcome)})`)
    for (const failure of failures) console.error(`${failure}\n`)
  }

  /** Returns a line for each file that failed. */
  function print(): string[] {
    const sum = (of: (outcome: Outcome) => number) => outcomes.reduce((total, each) => total + of(each), 0)
    if (!verbose) {
      console.log(`\nThe ${SLOWEST} slowest files`)
      for (const outcome of outcomes.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST))
        console.log(`  ${outcome.file} ${times(outcome)}`)
    }
    const counts = `${sum((each) => each.passed)} passed, ${sum((each) => each.failed)} failed, ${sum((each) => each.skipped)} skipped`
    const seconds = ((performance.now() - begun) / 1000).toFixed(1)
    console.log(
      `\n${outcomes.length} files: ${counts} in ${seconds} s (${sum((each) => each.cpuMs / 1000).toFixed(1)} s of CPU in the workers)`,
    )
    return outcomes.filter(({ failed }) => failed > 0).map(({ file, failed }) => `${file}: ${failed} failed`)
  }

  return { add, print }
}

const times = ({ ms, cpuMs }: Outcome) => `${(ms / 1000).toFixed(1)} s, CPU ${(cpuMs / 1000).toFixed(1)} s`
