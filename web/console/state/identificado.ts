/** Parameters of a reading that tells who the patient is; an empty reason is none. */
export const identifiedQuery = (motivo: string) => ({
  identificado: true,
  ...(motivo !== '' && { motivo }),
})
