import { PATHS } from '../paths.ts'
import { createUpload } from './file-upload.ts'

/** Parts that a file may not say; the address of the wizard holds them. */
export const FORM_NAMES = ['serie', 'municipio', 'estado', 'ano'] as const
export type SeriesForm = Partial<Record<(typeof FORM_NAMES)[number], string>>

export const seriesUpload = createUpload('/api/v1/series/bulk', PATHS.seriesImportar)
