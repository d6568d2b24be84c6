import { PATHS } from '../paths.ts'
import { createUpload } from './file-upload.ts'

export const epizootiasUpload = createUpload('/api/v1/epizootias/bulk', PATHS.epizootiasImportar)
