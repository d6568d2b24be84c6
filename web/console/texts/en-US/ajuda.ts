import type { ajuda as pt } from '../pt-BR/ajuda.ts'

export const ajuda: typeof pt = {
  lead: 'Keys, and where to find more.',
  keys: 'Keyboard',
  key: 'Key',
  does: 'What it does',
  palette: 'Open the search of screens and actions',
  help: 'Open this page',
  close: 'Close what is open; from a detail, go back to the list',
  followedBy: 'then',
  goTo: (screen: string) => `Go to ${screen}`,
  listKeys: [
    ['j', 'Next row of the list'],
    ['k', 'Previous row'],
    ['Enter', 'Open the row'],
    ['e', 'Edit the row or the detail, where it can be'],
    ['x', 'Select the row, where rows can be selected'],
    ['/', 'Go to the first filter'],
  ],
  caseKeys: [
    ['Space', 'Show the summary of the case beside the list'],
    ['n', 'Register a new case'],
  ],
  formKeys: [
    [['Ctrl', 'S'], 'Save the case'],
    [['Ctrl', 'Enter'], 'Save the case and register another'],
    [['1', '2', '9'], 'Yes, no, unknown, in the fields of the form'],
  ],
  painelKeys: [
    [['←', '→'], 'Previous or next week of the curve; places of the map'],
    [['Shift', '←', '→'], 'Choose a period on the curve'],
    [['Enter'], 'Open the marked week or place'],
    [['Esc'], 'One level up on the map'],
  ],
  lettersNote: 'Single-letter keys do not work while one types in a field.',
  more: 'For programs',
  api: 'API documentation',
  apiNote: 'Every route with examples, for those who connect another system to Vigia.',
  glossary: 'Glossary',
  terms: [
    [
      'Disease (agravo)',
      'A disease or condition that is notified: in Vigia dengue, Zika, chikungunya and those that the installation defines.',
    ],
    ['Probable case', 'Every notified case that was not discarded.'],
    [
      'Confirmed case',
      'A case whose final classification confirms the disease, by laboratory or by clinical and epidemiological criteria.',
    ],
    [
      'Epidemiological week (EW)',
      'From Sunday to Saturday; EW 1 is the first with most of its days in January. Some years have 53.',
    ],
    ['Incidence', 'Cases per 100,000 residents in the period.'],
    [
      'Still arriving',
      'The last four weeks, whose cases are still being typed in: the apparent fall is none.',
    ],
    [
      'Estimate (nowcast)',
      'How many cases the last weeks will have once all have arrived, by the usual delay of typing.',
    ],
    ['Rt', 'How many new cases each case causes on average; above 1 transmission grows.'],
    [
      'Control diagram',
      'The expected range of cases of each week, by the years before; above the upper limit there is an excess.',
    ],
    ['Alert level', 'Green, yellow, orange or red, by transmission and incidence of the last ended week.'],
    ['Completeness', 'How many of the important fields were filled in.'],
    [
      'Timeliness',
      'How many days pass between one step and the next: symptoms, notification, typing, closing.',
    ],
    ['Closing', 'Final classification and outcome are known; the term is 60 days from the notification.'],
    ['SINAN', 'The Brazilian information system of notifiable diseases, where the imported files come from.'],
    [
      'Territory',
      'The places that an account is bound to: it sees only cases of people who live or were notified there.',
    ],
    ['Webhook', 'Address of another system that Vigia tells when something happens.'],
  ],
}
