import { Near } from './near.tsx'
import { Similar, type SimilarProps } from './similar.tsx'

/** Beside the form: what the service knows of what is typed. */
export function Aside(props: SimilarProps) {
  return (
    <>
      <Similar {...props} />
      <Near form={props.form} />
    </>
  )
}
