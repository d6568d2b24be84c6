import { useState } from 'preact/hooks'
import { webhooksTexts } from '../../state/texts/webhooks.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Copy } from '../../ui/states.tsx'
import { EXAMPLES, type ExampleLanguage } from './example-code.ts'

/** Code that verifies a delivery, to be copied into a receiver. */
export function Examples() {
  const own = webhooksTexts().examples
  const [language, setLanguage] = useState<ExampleLanguage>('Node')
  const code = EXAMPLES[language]
  return (
    <section class="card form">
      <h2>{own.title}</h2>
      <p>{own.lead}</p>
      <fieldset class="inline">
        <legend>{own.language}</legend>
        {(Object.keys(EXAMPLES) as ExampleLanguage[]).map((name) => (
          <label key={name} class="option">
            <input
              type="radio"
              name="linguagem"
              checked={name === language}
              onChange={() => setLanguage(name)}
            />
            <span>{name}</span>
          </label>
        ))}
      </fieldset>
      <CodeBlock label={language} text={code} />
      <div>
        <Copy key={language} text={code} />
      </div>
    </section>
  )
}
