// Prints each test file as it ends, with its failures and, where files were asked for, its tests; then the slowest files, all failures again and the sum.
import type { Outcome } from './reporter.ts'

const SLOWEST = 15
/** Beyond these the code is broken, not the machine busy. */
const MOST_RETRIED = 3

export type Summary = ReturnType<typeof createSummary>

export function createSummary({ verbose }: { verbose: boolean }) {
  const begun = performance.now()
  let outcomes: Outcome[] = []
  const unstable: Outcome[] = []

  function add(outcome: Outcome): void {
    outcomes.push(outcome)
    const { file, passed, failed, skipped, tree, failures } = outcome
    const skips = skipped > 0 ? `, ${skipped} skipped` : ''
    const fails = failed > 0 ? `, ${failed} FAILED` : ''
    if (verbose) console.log(tree.join('\n'))
    console.log(`${failed > 0 ? '✖' : '✔'} ${file}: ${passed} passed${skips}${fails} (${times(outcome)})`)
    for (const failure of failures) console.error(`${failure}\n`)
  }

  /**
   * Files that failed, if they are few: forgets those outcomes, so that a second try counts in their place. They are printed at the end.
   */
  function takeFailed(): string[] {
    const failed = outcomes.filter((outcome) => outcome.failed > 0)
    const files = [...new Set(failed.map(({ file }) => file))]
    if (files.length > MOST_RETRIED) return []
    outcomes = outcomes.filter(({ file }) => !files.includes(file))
    unstable.push(...failed)
    return files
  }

  /**
   * Prints the slowest files, then every failure once more and what the checks found, then the sum: a reader of the last lines alone
   * sees why a run failed. Returns whether it passed.
   */
  function print(findings: string[]): boolean {
    const sum = (of: (outcome: Outcome) => number) => outcomes.reduce((total, each) => total + of(each), 0)
    if (!verbose) {
      console.log(`\nThe ${SLOWEST} slowest files`)
      for (const outcome of outcomes.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST))
        console.log(`  ${outcome.file} ${times(outcome)}`)
    }
    for (const reason of new Set(outcomes.flatMap(({ reasons }) => reasons)))
      console.log(`\n! LEFT OUT: ${reason}`)
    for (const { file, failures } of unstable)
      console.log(`\n! ${file}: failed beside the others, was run again alone\n${failures.join('\n\n')}`)
    for (const { file, failed, failures } of outcomes.filter(({ failed }) => failed > 0))
      console.log(`\n✖ ${file}: ${failed} failed\n${failures.join('\n\n')}`)
    for (const finding of findings) console.log(`\n✖ ${finding}`)
    const failed = sum((each) => each.failed)
    const counts = `${sum((each) => each.passed)} passed, ${failed} failed, ${sum((each) => each.skipped)} skipped`
    const others = findings.length > 0 ? `, ${findings.length} findings of the checks` : ''
    const seconds = ((performance.now() - begun) / 1000).toFixed(1)
    console.log(
      `\n${outcomes.length} files: ${counts}${others} in ${seconds} s (${sum((each) => each.cpuMs / 1000).toFixed(1)} s of CPU in the workers)`,
    )
    return failed + findings.length === 0
  }

  const hasPassed = () => outcomes.every(({ failed }) => failed === 0)

  return { add, hasPassed, print, takeFailed }
}

const times = ({ ms, cpuMs }: Outcome) => `${(ms / 1000).toFixed(1)} s, CPU ${(cpuMs / 1000).toFixed(1)} s`
