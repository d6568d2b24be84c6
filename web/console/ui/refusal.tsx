import { ApiError } from '../api/errors.ts'
import { Notice } from './notice.tsx'
import { errorText, RequestId } from './states.tsx'

/** What the person can mend without asking anybody. */
const OWN = [409, 422]

/** What was sent was refused: in the API's words, with the request to name to support. */
export function Refusal({ error }: { error: unknown }) {
  return (
    <>
      <Notice kind="error" text={errorText(error)} />
      {error instanceof ApiError && !OWN.includes(error.status) && <RequestId of={error} />}
    </>
  )
}
