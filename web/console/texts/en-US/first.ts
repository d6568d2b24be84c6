import type { first as firstTexts } from '../pt-BR/first.ts'

export const first: typeof firstTexts = {
  lead: 'No cases yet. Begin with a file of SINAN or a spreadsheet, or register the first case by hand.',
  waiting:
    'No cases yet. As soon as somebody registers or imports cases of your territory, they appear here.',
  import: 'Import a file',
  create: 'Register a case',
  demo: 'Just trying? Fill this test environment with made-up cases:',
}
