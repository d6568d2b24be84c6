/** Mail as the transport takes it (`src/mail/transport.ts`, or a list in tests). */
export interface Mail {
  to: string
  subject: string
  text: string
  html: string
}

export interface MailTransport {
  /** Resolves once another server has accepted the mail; rejects with `MailFailure`. */
  send(mail: Mail): Promise<void>
}

/** Error for logs; its message never contains the address. */
export class MailFailure extends Error {
  override readonly name = 'MailFailure'
  /** True if the connection broke before the final answer: the mail may have been accepted. */
  readonly mayHaveArrived: boolean

  constructor(message: string, { mayHaveArrived = false } = {}) {
    super(message)
    this.mayHaveArrived = mayHaveArrived
  }
}
