import { type ResourceLimits, type Transferable, Worker } from 'node:worker_threads'

/** A thread that answers each message with one, first in, first out. */
export interface AskedThread<Q, A> {
  /** Rejects with the error of the thread, also of an earlier question, and when it has ended; `moved` is given away, not copied. */
  ask(question: Q, moved?: Transferable[]): Promise<A>
  /** Ends the thread, whatever it does. */
  end(): Promise<unknown>
}

export function startThread<Q, A>(
  file: URL,
  workerData: unknown,
  resourceLimits: ResourceLimits,
): AskedThread<Q, A> {
  const worker = new Worker(file, { workerData, resourceLimits })
  const asked: PromiseWithResolvers<A>[] = []
  let failure: Error | null = null
  const fail = (error: Error) => {
    failure ??= error
    for (const { reject } of asked.splice(0)) reject(failure)
  }
  worker.on('message', (answer: A) => asked.shift()?.resolve(answer))
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('the thread ended')))
  return {
    ask(question, moved = []) {
      if (failure !== null) return Promise.reject(failure)
      const waiting = Promise.withResolvers<A>()
      asked.push(waiting)
      worker.postMessage(question, moved)
      return waiting.promise
    },
    end: () => worker.terminate(),
  }
}
