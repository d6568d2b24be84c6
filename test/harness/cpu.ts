/** CPU time of this process and its threads, in milliseconds: the work done, however busy the machine is. */
export async function cpuMs(act: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await act()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
