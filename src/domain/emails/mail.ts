/** What the domain asks of whatever carries its mail (`src/mail/transport.ts`, or a list in tests). */
export interface Mail {
  to: string
  subject: string
  text: string
  html: string
}

export interface MailTransport {
  /** Resolves once somebody else is responsible for the mail; rejects with `MailFailure`. */
  send(mail: Mail): Promise<void>
}

/** Its message is for logs: it says what happened and never to which address. */
export class MailFailure extends Error {
  override readonly name = 'MailFailure'
  /** The connection broke before the answer to the whole mail came: it may arrive all the same. */
  readonly mayHaveArrived: boolean

  constructor(message: string, { mayHaveArrived = false } = {}) {
    super(message)
    this.mayHaveArrived = mayHaveArrived
  }
}
